import { Context } from '@temporalio/activity';
import type { Deps, SystemContext } from '../src/context.ts';
import { AppError } from '../src/shared/errors.ts';
import { checkIds } from '../src/shared/ids.ts';
import { plainUntil, refusePlain } from '../src/temporal/contracts/plain-payload.ts';
import { toApplicationFailure } from './errors.ts';

/**
 * Beats while the work runs, three times within the workflow's heartbeat timeout: so the loss of a
 * worker is felt in seconds and not at the end of a timeout made for the longest work.
 */
async function beating<T>(work: () => Promise<T>): Promise<T> {
  const { info, heartbeat } = Context.current();
  if (!info.heartbeatTimeoutMs) return work();
  const timer = setInterval(() => heartbeat(), info.heartbeatTimeoutMs / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Where payloads are encrypted, a plain input counts only in a run that began before they were. */
async function checkSender({ temporal }: Deps, input: unknown): Promise<void> {
  if (plainUntil([input]) === undefined) return;
  const { workflowExecution } = Context.current().info;
  if (!workflowExecution) throw new AppError('conflict', 'No run has asked for this.');
  const { workflowId, runId } = workflowExecution;
  const run = await temporal.call(() =>
    temporal.client.workflow.getHandle(workflowId, runId).describe(),
  );
  refusePlain([input], run.startTime.getTime());
}

/**
 * Turns a use-case into an activity: a context of its own, and errors that Temporal understands.
 * Whoever reaches Temporal can start a run with any input, so ids are parsed before the use-case.
 */
export function activity<Input, Output>(
  deps: Deps,
  run: (ctx: SystemContext, input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const { workflowExecution, activityId } = Context.current().info;
    const requestId = `${workflowExecution?.runId ?? ''}/${activityId}`;
    try {
      await checkSender(deps, input);
      checkIds(input);
      return await beating(() => run({ deps, requestId }, input));
    } catch (thrown) {
      deps.log.warn(
        { err: thrown, workflowId: workflowExecution?.workflowId },
        'An activity failed',
      );
      throw toApplicationFailure(thrown);
    }
  };
}
