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
import { type Call, standing } from './standing.ts';

const CALL_TIMEOUT_MS = 5 * SECOND_MS;
const MISSED_START_MS = 6 * HOUR_MS;
const REACH_TIMEOUT_MS = 2 * SECOND_MS;
/** gRPC's own, two minutes, would keep what waits waiting long after a long outage. */
const LONGEST_RECONNECT_PAUSE_MS = 5 * SECOND_MS;

const ORG_ID = defineSearchAttributeKey(SEARCH_ATTRIBUTE_NAMES.org, 'KEYWORD');
const APP_ID = defineSearchAttributeKey(SEARCH_ATTRIBUTE_NAMES.app, 'KEYWORD');

type Contract<Input> = WorkflowContract<string, Input>;

export function temporalAway(cause?: unknown): AppError {
  return new AppError('unavailable', 'The workflow service cannot be reached right now.', {
    retryAfterSeconds: 5,
    cause,
  });
}

/** The server is there and starts nothing; why is for the operator, in the log and the status. */
export function temporalRefuses(cause: unknown): AppError {
  return new AppError('unavailable', 'The workflow service takes no work right now.', {
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

export function searchAttributes({ orgId, appId }: RunScope): SearchAttributePair[] {
  const pairs: SearchAttributePair[] = [{ key: ORG_ID, value: orgId }];
  if (appId !== undefined) pairs.push({ key: APP_ID, value: appId });
  return pairs;
}

/** What an operator calls the app or organization that a run is about; null where nothing says it. */
export type NameScope = (scope: RunScope) => Promise<string | null>;

export type Installation = {
  /** By which its workers are told from those of other installations. */
  ownId: () => Promise<string>;
  nameOf?: NameScope;
};

/** Bytes; the server refuses summaries over 400, and encryption adds to them. */
const SUMMARY_MAX = 200;

const startOptions =
  (nameOf: NameScope) =>
  async <Input>(contract: Contract<Input>, input: Input, scope = contract.scope(input)) => {
    const name = await nameOf(scope);
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

/** Starts at set times, which the server itself looks after. */
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
    /**
     * Starts the run of this input every day at this time of the zone (its canonical name); one
     * that is there becomes this one. A start that was missed is made up for within six hours.
     */
    scheduleDaily: <Input>(
      contract: Contract<Input>,
      input: Input,
      { timezone, hour, minute }: { timezone: string; hour: number; minute: number },
    ) =>
      put(contract, input, {
        spec: { calendars: [{ hour, minute }], timezone },
        catchupWindow: MISSED_START_MS,
      }),
    /**
     * Starts the run of this input every hour, at a minute of its own, so that not all begin at
     * once. A start that was missed is not made up for: the next one is near.
     */
    scheduleHourly: <Input>(contract: Contract<Input>, input: Input) => {
      const offset = Bun.hash.crc32(contract.workflowId(input)) % (HOUR_MS / SECOND_MS);
      return put(contract, input, {
        spec: { intervals: [{ every: HOUR_MS, offset: offset * SECOND_MS }] },
        catchupWindow: MINUTE_MS,
      });
    },
    /** Ends the schedule of this input, if there is one. */
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

/**
 * Connects when first used, so that a process can start while Temporal is still starting. Every
 * function throws `unavailable` while Temporal is away.
 */
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

  /** Runs a call to Temporal with a deadline; an outage becomes `unavailable`. */
  const call = async <T>(work: () => Promise<T>, timeoutMs = CALL_TIMEOUT_MS): Promise<T> => {
    try {
      return await connection.withDeadline(Date.now() + timeoutMs, work);
    } catch (cause) {
      if (!isOutage(cause)) throw cause;
      throw refusesEveryStart(cause) ? temporalRefuses(cause) : temporalAway(cause);
    }
  };
  /** Throws within two seconds unless the server answers. */
  const reach = () => call(() => connection.workflowService.getSystemInfo({}), REACH_TIMEOUT_MS);
  const { watchStart, sharing, ...stand } = standing({ connection, namespace, ownId }, call);
  /** A call that changes runs; refused where another installation would get them. */
  const change: Call = async (work, timeoutMs) => {
    const shared = await sharing();
    if (shared !== null) throw temporalRefuses(new Error(shared));
    return call(work, timeoutMs);
  };

  return {
    client,
    call,
    /** Starts the run of this input, unless it is running already. */
    ensure: async <Input>(contract: Contract<Input>, input: Input, scope?: RunScope) => {
      const options = await optionsOf(contract, input, scope);
      return watchStart(change(() => client.workflow.start(contract.type, options)));
    },
    ...schedules(client, change, optionsOf),
    /** Signals the run of this input. Throws when there is none. */
    signal: <Input>(contract: Contract<Input>, input: Input, signal: SignalDefinition) =>
      change(() => client.workflow.getHandle(contract.workflowId(input)).signal(signal)),
    /** Signals the run of this input, started first when there is none (or it has just ended). */
    signalWithStart: async <Input>(
      contract: Contract<Input>,
      input: Input,
      signal: SignalDefinition,
    ) => {
      const { workflowIdConflictPolicy: _, ...options } = await optionsOf(contract, input);
      await change(() => client.workflow.signalWithStart(contract.type, { ...options, signal }));
    },
    /**
     * Sends an update to the run of this input, started first when there is none, and waits for the
     * answer. Throws `unavailable` also when that takes longer than `timeoutMs`.
     */
    ask: async <Input, Question, Answer>(
      contract: Contract<Input>,
      input: Input,
      update: UpdateDefinition<Answer, [Question]>,
      { question, timeoutMs }: { question: Question; timeoutMs: number },
    ) => {
      // The wait for the answer is long, the wait for a server that is away must not be.
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
