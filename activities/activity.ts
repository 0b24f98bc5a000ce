import { Context } from '@temporalio/activity';
import type { SystemContext } from '../src/context.ts';
import type { Deps } from '../src/deps.ts';
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

/** Turns a use-case into an activity: a context of its own, and errors that Temporal understands. */
export function activity<Input, Output>(
  deps: Deps,
  run: (ctx: SystemContext, input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const { workflowExecution, activityId } = Context.current().info;
    const requestId = `${workflowExecution?.runId ?? ''}/${activityId}`;
    try {
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
