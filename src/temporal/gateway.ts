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
import type { DataConverter, Workflow } from '@temporalio/common';
import type { Config } from '../config.ts';
import { AppError } from '../shared/errors.ts';
import { SECOND_MS } from '../shared/time.ts';
import { failOnClosedChannel } from './closed-channel.ts';
import { clusterOptions } from './connection-options.ts';
import {
  type RunScope,
  TASK_QUEUE,
  type WorkflowContract,
  type WorkflowUpdate,
} from './contracts/workflow.ts';
import { searchAttributes } from './search-attributes.ts';

const CALL_TIMEOUT_MS = 5 * SECOND_MS;
const REACH_TIMEOUT_MS = 2 * SECOND_MS;
/** gRPC's own, two minutes, would keep what waits waiting long after a long outage. */
const LONGEST_RECONNECT_PAUSE_MS = 5 * SECOND_MS;

export type WorkflowQuestion<Question, Answer> = {
  update: WorkflowUpdate<Question, Answer>;
  input: Question;
  timeoutMs: number;
};

export type TemporalGateway = {
  client: Client;
  /**
   * Starts the run of this input; does nothing when it is running already.
   * Throws `unavailable` while Temporal is away.
   */
  start: <Input>(
    contract: WorkflowContract<Input>,
    input: Input,
    scope: RunScope,
  ) => Promise<WorkflowHandle>;
  /**
   * Signals the run of this input, started first when there is none (or it has just ended).
   * Throws `unavailable` while Temporal is away.
   */
  wake: <Input>(
    contract: WorkflowContract<Input>,
    input: Input,
    scope: RunScope,
    signal: string,
  ) => Promise<void>;
  /**
   * Asks the run of this input, started first when there is none, and waits for its answer.
   * Throws `unavailable` while Temporal is away or the answer takes longer than `timeoutMs`.
   */
  ask: <Input, Question, Answer>(
    contract: WorkflowContract<Input>,
    input: Input,
    scope: RunScope,
    question: WorkflowQuestion<Question, Answer>,
  ) => Promise<Answer>;
  /** Runs a call to Temporal with a deadline, its outage told as `unavailable`. */
  call: <T>(work: () => Promise<T>, timeoutMs?: number) => Promise<T>;
  /** True when the server has answered. */
  isUp: () => Promise<boolean>;
  close: () => Promise<void>;
};

/** The SDK wraps some of its faults and leaves others as they come from gRPC. */
function isOutage(thrown: unknown): boolean {
  if (thrown instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  if (thrown instanceof ServiceError) return true;
  return isGrpcServiceError(thrown);
}

function startOptions<Input>(contract: WorkflowContract<Input>, input: Input, scope: RunScope) {
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
      throw new AppError('unavailable', 'The workflow service cannot be reached right now.', {
        retryAfterSeconds: 5,
        cause,
      });
    }
  };

  return {
    client,
    call,
    start: (contract, input, scope) =>
      call(() => client.workflow.start(contract.type, startOptions(contract, input, scope))),
    wake: async (contract, input, scope, signal) => {
      const { workflowIdConflictPolicy: _, ...options } = startOptions(contract, input, scope);
      await call(() => client.workflow.signalWithStart(contract.type, { ...options, signal }));
    },
    ask: async <Input, Question, Answer>(
      contract: WorkflowContract<Input>,
      input: Input,
      scope: RunScope,
      { update, input: question, timeoutMs }: WorkflowQuestion<Question, Answer>,
    ) => {
      // The wait for the answer is long, the wait for a server that is away must not be.
      await call(() => connection.workflowService.getSystemInfo({}), REACH_TIMEOUT_MS);
      return call(
        () =>
          client.workflow.executeUpdateWithStart<Workflow, Answer, [Question]>(update.name, {
            args: [question],
            startWorkflowOperation: new WithStartWorkflowOperation(
              contract.type,
              startOptions(contract, input, scope),
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
