import { Context } from '@temporalio/activity';
import type { Alone, Deps, Need, SystemContext } from '../src/context.ts';
import { WorkNotes } from '../src/modules/system/index.ts';
import { AppError, errorMessage } from '../src/shared/errors.ts';
import { checkIds } from '../src/shared/ids.ts';
import type { ASKING } from '../src/shared/query-socket.ts';
import { checkPurpose, notEncrypted, findOrigin } from '../src/temporal/contracts/plain-payload.ts';
import { toApplicationFailure } from './errors.ts';

/** At a third of the timeout, to detect a lost worker in seconds. */
async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const { info, heartbeat } = Context.current();
  if (!info.heartbeatTimeoutMs) return work();
  const timer = setInterval(() => heartbeat(), info.heartbeatTimeoutMs / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Rejects input not encrypted for this activity, in runs started since encryption. */
async function checkSender({ temporal }: Deps, input: unknown): Promise<void> {
  const { activityType, workflowExecution } = Context.current().info;
  checkPurpose([input], `activity:${activityType}`);
  const until = findOrigin(input)?.acceptedUntil;
  if (until === undefined) return;
  if (until === 0) throw notEncrypted();
  if (!workflowExecution) throw new AppError('conflict', 'This activity belongs to no run.');
  const { workflowId, runId } = workflowExecution;
  const run = await temporal.call(() =>
    temporal.client.workflow.getHandle(workflowId, runId).describe(),
  );
  if (run.startTime.getTime() >= until) throw notEncrypted();
}

type UseCase<Needs extends Need> = (ctx: SystemContext<Needs>, input: never) => Promise<unknown>;

/** They call endpoints of customers, whose outages are theirs. */
const TO_CUSTOMERS: ReadonlySet<string> = new Set([
  'attemptWebhookDelivery',
  'forwardPurchaseNotification',
  'sendDigest',
  'sendMessage',
]);

type Activities<UseCases extends Record<string, UseCase<Need>>> = {
  [Name in keyof UseCases]: (input: Parameters<UseCases[Name]>[1]) => ReturnType<UseCases[Name]>;
};

/** Parses ids first: anyone with access to Temporal can forge an input. */
export function activities<UseCases extends Record<string, UseCase<Alone>>>(
  deps: Deps,
  useCases: UseCases,
): Activities<UseCases> {
  return prepare(deps, useCases);
}

export const askingActivities = <
  UseCases extends Record<keyof typeof ASKING, UseCase<Exclude<Need, 'events'>>>,
>(
  deps: Deps,
  useCases: UseCases & Record<Exclude<keyof UseCases, keyof typeof ASKING>, never>,
): Activities<UseCases> => prepare(deps, useCases);

function prepare<UseCases extends Record<string, UseCase<Need>>>(
  deps: Deps,
  useCases: UseCases,
): Activities<UseCases>;
function prepare(deps: Deps, useCases: Record<string, UseCase<Need>>): object {
  const notes = new WorkNotes(deps);
  return Object.fromEntries(
    Object.entries(useCases).map(([name, run]) => [
      name,
      activity(deps, run, (thrown) => {
        if (thrown === undefined || !TO_CUSTOMERS.has(name)) void notes.note(name, thrown);
      }),
    ]),
  );
}

/** One line for an expected failure, the stack for a bug. */
function logFailure({ log }: Pick<Deps, 'log'>, thrown: unknown, workflowId?: string): void {
  if (!(thrown instanceof AppError)) {
    log.warn({ err: thrown, workflowId }, 'activity failed');
    return;
  }
  const { code, message } = thrown;
  log.warn({ code, because: describeCauses(thrown), workflowId }, `activity failed: ${message}`);
}

/** Causes in one line, without repetition. */
function describeCauses(thrown: Error): string | undefined {
  const said: string[] = [];
  let error: unknown = thrown;
  while (error instanceof Error && error.cause !== undefined) {
    const before = error.message;
    error = error.cause;
    const message = errorMessage(error).replaceAll(/\s+/g, ' ');
    if (!before.includes(message)) said.push(message);
  }
  return said.length === 0 ? undefined : said.join(' ');
}

function activity<Input>(
  deps: Deps,
  run: (ctx: SystemContext, input: Input) => Promise<unknown>,
  onEnd: (thrown?: unknown) => void,
): (input: Input) => Promise<unknown> {
  return async (input) => {
    const { workflowExecution, activityId } = Context.current().info;
    const requestId = `${workflowExecution?.runId ?? ''}/${activityId}`;
    try {
      await checkSender(deps, input);
      checkIds(input);
      const result = await withHeartbeat(() => run({ deps, requestId }, input));
      onEnd();
      return result;
    } catch (thrown) {
      onEnd(thrown);
      logFailure(deps, thrown, workflowExecution?.workflowId);
      throw toApplicationFailure(thrown);
    }
  };
}
