import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleSpec,
  ServiceError,
  WithStartWorkflowOperation,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import {
  type DataConverter,
  defineSearchAttributeKey,
  type SearchAttributePair,
  type SignalDefinition,
  type UpdateDefinition,
  type Workflow,
} from '@temporalio/common';
import type { Config } from '../config.ts';
import { AppError } from '../shared/errors.ts';
import { withinBytes } from '../shared/text.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../shared/time.ts';
import { failOnClosedChannel } from './closed-channel.ts';
import { clusterOptions } from './connection-options.ts';
import { argsFor } from './contracts/plain-payload.ts';
import { SEARCH_ATTRIBUTE_NAMES } from './contracts/search-attributes.ts';
import { type RunScope, TASK_QUEUE, type WorkflowContract } from './contracts/workflow.ts';
import { workflowPurposes } from './purpose-interceptors.ts';
import { refusesEveryStart } from './server-reason.ts';
import { type Call, createStanding } from './standing.ts';

const CALL_TIMEOUT_MS = 5 * SECOND_MS;
const MISSED_START_MS = 6 * HOUR_MS;
const REACH_TIMEOUT_MS = 2 * SECOND_MS;
/** gRPC's default of two minutes delays recovery after long outages. */
const LONGEST_RECONNECT_PAUSE_MS = 5 * SECOND_MS;

const ORG_ID = defineSearchAttributeKey(SEARCH_ATTRIBUTE_NAMES.org, 'KEYWORD');
const APP_ID = defineSearchAttributeKey(SEARCH_ATTRIBUTE_NAMES.app, 'KEYWORD');

type Contract<Input> = WorkflowContract<string, Input>;

export function temporalUnavailable(cause?: unknown): AppError {
  return new AppError('unavailable', 'The workflow service cannot be reached right now.', {
    retryAfterSeconds: 5,
    cause,
  });
}

/** Temporal is up but refuses starts; reasons go to log and status. */
export function temporalRefuses(cause: unknown): AppError {
  return new AppError('unavailable', 'The workflow service takes no work right now.', {
    retryAfterSeconds: 5,
    cause,
  });
}

/** The SDK wraps only some gRPC errors. */
function isOutage(thrown: unknown): boolean {
  if (thrown instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  if (thrown instanceof ServiceError) return true;
  return isGrpcServiceError(thrown);
}

export function searchAttributes({ orgId, appId }: RunScope): SearchAttributePair[] {
  const pairs: SearchAttributePair[] = [{ key: ORG_ID, value: orgId }];
  if (appId !== undefined) pairs.push({ key: APP_ID, value: appId });
  return pairs;
}

export type NameScope = (scope: RunScope) => Promise<string | null>;

export type Installation = {
  /** Distinguishes our workers from other installations'. */
  ownId: () => Promise<string>;
  nameOf?: NameScope;
};

/** Bytes; the server's limit is 400, and encryption adds to them. */
const SUMMARY_MAX = 200;

const startOptions =
  (nameOf: NameScope) =>
  async <Input>(contract: Contract<Input>, input: Input, scope = contract.scope(input)) => {
    const name = contract.isUnnamed ? null : await nameOf(scope);
    const summary = contract.summary(input);
    return {
      taskQueue: TASK_QUEUE,
      workflowId: contract.workflowId(input),
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      args: [input],
      staticSummary: withinBytes(name === null ? summary : `${summary} (${name})`, SUMMARY_MAX),
      typedSearchAttributes: searchAttributes(scope),
    } as const;
  };

type StartOptions = ReturnType<typeof startOptions>;

function schedules(client: Client, call: Call, optionsOf: StartOptions) {
  const put = async <Input>(
    contract: Contract<Input>,
    input: Input,
    { spec, catchupWindow }: { spec: ScheduleSpec; catchupWindow: number },
  ) => {
    const {
      workflowIdConflictPolicy: _conflict,
      workflowIdReusePolicy: _reuse,
      ...start
    } = await optionsOf(contract, input);
    const scheduleId = start.workflowId;
    const schedule = {
      spec,
      action: {
        type: 'startWorkflow' as const,
        workflowType: contract.type,
        ...start,
        args: argsFor([input], `workflow:${contract.type}`),
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
    };
    await call(async () => {
      try {
        await client.schedule.create({ scheduleId, ...schedule });
      } catch (thrown) {
        if (!(thrown instanceof ScheduleAlreadyRunning)) throw thrown;
        await client.schedule.getHandle(scheduleId).update(() => ({ ...schedule, state: {} }));
      }
    });
  };
  return {
    /** Catches up within six hours. Replaces an existing one. */
    scheduleDaily: <Input>(
      contract: Contract<Input>,
      input: Input,
      { timezone, hour, minute }: { timezone: string; hour: number; minute: number },
    ) =>
      put(contract, input, {
        spec: { calendars: [{ hour, minute }], timezone },
        catchupWindow: MISSED_START_MS,
      }),
    scheduleHourly: <Input>(contract: Contract<Input>, input: Input) => {
      const offset = Bun.hash.crc32(contract.workflowId(input)) % (HOUR_MS / SECOND_MS);
      return put(contract, input, {
        spec: { intervals: [{ every: HOUR_MS, offset: offset * SECOND_MS }] },
        catchupWindow: MINUTE_MS,
      });
    },
    /** Idempotent. */
    unschedule: <Input>(contract: Contract<Input>, input: Input) =>
      call(async () => {
        try {
          await client.schedule.getHandle(contract.workflowId(input)).delete();
        } catch (thrown) {
          if (!(thrown instanceof ScheduleNotFoundError)) throw thrown;
        }
      }),
  };
}

/** Connects on first use. Throws `unavailable` while Temporal is. */
export function createTemporalGateway(
  config: Config,
  converter: DataConverter,
  { ownId, nameOf = async () => null }: Installation,
) {
  const { namespace } = config.temporal;
  const optionsOf = startOptions(nameOf);
  const connection = Connection.lazy({
    ...clusterOptions(config),
    channelArgs: { 'grpc.max_reconnect_backoff_ms': LONGEST_RECONNECT_PAUSE_MS },
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), failOnClosedChannel],
  });
  const client = new Client({
    connection,
    namespace,
    dataConverter: converter,
    ...(config.temporal.payloads === 'encrypted' && {
      interceptors: { workflow: [workflowPurposes] },
    }),
  });

  /** Adds a deadline; outages become `unavailable`. */
  const call = async <T>(work: () => Promise<T>, timeoutMs = CALL_TIMEOUT_MS): Promise<T> => {
    try {
      return await connection.withDeadline(Date.now() + timeoutMs, work);
    } catch (cause) {
      if (!isOutage(cause)) throw cause;
      throw refusesEveryStart(cause) ? temporalRefuses(cause) : temporalUnavailable(cause);
    }
  };
  /** Throws within two seconds unless the server answers. */
  const reach = () => call(() => connection.workflowService.getSystemInfo({}), REACH_TIMEOUT_MS);
  const { watchStart, sharing, ...stand } = createStanding({ connection, namespace, ownId }, call);
  /** Another installation's workers might take it. */
  const change: Call = async (work, timeoutMs) => {
    const shared = await sharing();
    if (shared !== null) throw temporalRefuses(new Error(shared));
    return call(work, timeoutMs);
  };

  return {
    client,
    call,
    ensure: async <Input>(contract: Contract<Input>, input: Input, scope?: RunScope) => {
      const options = await optionsOf(contract, input, scope);
      return watchStart(change(() => client.workflow.start(contract.type, options)));
    },
    ...schedules(client, change, optionsOf),
    /** Throws without a run. */
    signal: <Input>(contract: Contract<Input>, input: Input, signal: SignalDefinition) =>
      change(() => client.workflow.getHandle(contract.workflowId(input)).signal(signal)),
    /** Starts a missing (or just ended) run first. */
    signalWithStart: async <Input>(
      contract: Contract<Input>,
      input: Input,
      signal: SignalDefinition,
    ) => {
      const { workflowIdConflictPolicy: _, ...options } = await optionsOf(contract, input);
      await change(() => client.workflow.signalWithStart(contract.type, { ...options, signal }));
    },
    /** Throws `unavailable` after `timeoutMs`, too. */
    ask: async <Input, Question, Answer>(
      contract: Contract<Input>,
      input: Input,
      update: UpdateDefinition<Answer, [Question]>,
      { question, timeoutMs }: { question: Question; timeoutMs: number },
    ) => {
      // The answer may take long, an outage must not.
      await reach();
      const startWorkflowOperation = new WithStartWorkflowOperation(
        contract.type,
        await optionsOf(contract, input),
      );
      const options = { args: [question] satisfies [Question], startWorkflowOperation };
      return change(
        () => client.workflow.executeUpdateWithStart<Workflow, Answer, [Question]>(update, options),
        timeoutMs,
      );
    },
    ...stand,
    close: () => connection.close(),
  };
}

export type TemporalGateway = ReturnType<typeof createTemporalGateway>;
