import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
  ServiceError,
  WithStartWorkflowOperation,
  type WorkflowHandle,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type {
  DataConverter,
  SignalDefinition,
  UpdateDefinition,
  Workflow,
} from '@temporalio/common';
import type { Config } from '../config.ts';
import { AppError } from '../shared/errors.ts';
import { SECOND_MS } from '../shared/time.ts';
import { failOnClosedChannel } from './closed-channel.ts';
import { clusterOptions } from './connection-options.ts';
import { type RunScope, TASK_QUEUE, type WorkflowContract } from './contracts/workflow.ts';
import { searchAttributes } from './search-attributes.ts';

const CALL_TIMEOUT_MS = 5 * SECOND_MS;
const REACH_TIMEOUT_MS = 2 * SECOND_MS;
/** gRPC's own, two minutes, would keep what waits waiting long after a long outage. */
const LONGEST_RECONNECT_PAUSE_MS = 5 * SECOND_MS;

type Contract<Input> = WorkflowContract<string, Input>;

/** Every function throws `unavailable` while Temporal is away. */
export type TemporalGateway = {
  client: Client;
  /** Starts the run of this input, unless it is running already. */
  ensure: <Input>(
    contract: Contract<Input>,
    input: Input,
    scope?: RunScope,
  ) => Promise<WorkflowHandle>;
  /** Signals the run of this input. Throws when there is none. */
  signal: <Input>(
    contract: Contract<Input>,
    input: Input,
    signal: SignalDefinition,
  ) => Promise<void>;
  /** Signals the run of this input, started first when there is none (or it has just ended). */
  signalWithStart: <Input>(
    contract: Contract<Input>,
    input: Input,
    signal: SignalDefinition,
  ) => Promise<void>;
  /**
   * Sends an update to the run of this input, started first when there is none, and waits for the
   * answer. Throws `unavailable` also when that takes longer than `timeoutMs`.
   */
  ask: <Input, Question, Answer>(
    contract: Contract<Input>,
    input: Input,
    update: UpdateDefinition<Answer, [Question]>,
    options: { question: Question; timeoutMs: number },
  ) => Promise<Answer>;
  /** Runs a call to Temporal with a deadline; an outage becomes `unavailable`. */
  call: <T>(work: () => Promise<T>, timeoutMs?: number) => Promise<T>;
  /** True when the server has answered. */
  isUp: () => Promise<boolean>;
  close: () => Promise<void>;
};

export function temporalAway(cause?: unknown): AppError {
  return new AppError('unavailable', 'The workflow service cannot be reached right now.', {
    retryAfterSeconds: 5,
    cause,
  });
}

/** The SDK wraps some errors and passes others on as they come from gRPC. */
function isOutage(thrown: unknown): boolean {
  if (thrown instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  if (thrown instanceof ServiceError) return true;
  return isGrpcServiceError(thrown);
}

function startOptions<Input>(
  contract: Contract<Input>,
  input: Input,
  scope = contract.scope(input),
) {
  return {
    taskQueue: TASK_QUEUE,
    workflowId: contract.workflowId(input),
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [input],
    staticSummary: contract.summary(input),
    typedSearchAttributes: searchAttributes(scope),
  } as const;
}

/** Connects when first used, so that a process can start while Temporal is still starting. */
export function createTemporalGateway(config: Config, converter: DataConverter): TemporalGateway {
  const connection = Connection.lazy({
    ...clusterOptions(config),
    channelArgs: { 'grpc.max_reconnect_backoff_ms': LONGEST_RECONNECT_PAUSE_MS },
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), failOnClosedChannel],
  });
  const client = new Client({
    connection,
    namespace: config.temporal.namespace,
    dataConverter: converter,
  });

  const call = async <T>(work: () => Promise<T>, timeoutMs = CALL_TIMEOUT_MS): Promise<T> => {
    try {
      return await connection.withDeadline(Date.now() + timeoutMs, work);
    } catch (cause) {
      if (!isOutage(cause)) throw cause;
      throw temporalAway(cause);
    }
  };

  return {
    client,
    call,
    ensure: (contract, input, scope) =>
      call(() => client.workflow.start(contract.type, startOptions(contract, input, scope))),
    signal: (contract, input, signal) =>
      call(() => client.workflow.getHandle(contract.workflowId(input)).signal(signal)),
    signalWithStart: async (contract, input, signal) => {
      const { workflowIdConflictPolicy: _, ...options } = startOptions(contract, input);
      await call(() => client.workflow.signalWithStart(contract.type, { ...options, signal }));
    },
    ask: async <Input, Question, Answer>(
      contract: Contract<Input>,
      input: Input,
      update: UpdateDefinition<Answer, [Question]>,
      { question, timeoutMs }: { question: Question; timeoutMs: number },
    ) => {
      // The wait for the answer is long, the wait for a server that is away must not be.
      await call(() => connection.workflowService.getSystemInfo({}), REACH_TIMEOUT_MS);
      return call(
        () =>
          client.workflow.executeUpdateWithStart<Workflow, Answer, [Question]>(update, {
            args: [question],
            startWorkflowOperation: new WithStartWorkflowOperation(
              contract.type,
              startOptions(contract, input),
            ),
          }),
        timeoutMs,
      );
    },
    isUp: async () => {
      try {
        await call(() => connection.workflowService.getSystemInfo({}), REACH_TIMEOUT_MS);
        return true;
      } catch {
        return false;
      }
    },
    close: () => connection.close(),
  };
}
