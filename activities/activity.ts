import { Context } from '@temporalio/activity';
import type { SystemContext } from '../src/context.ts';
import type { Deps } from '../src/deps.ts';
import { toApplicationFailure } from './errors.ts';

/** Turns a use-case into an activity: a context of its own, and errors that Temporal understands. */
export function activity<Input, Output>(
  deps: Deps,
  run: (ctx: SystemContext, input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const { workflowExecution, activityId } = Context.current().info;
    try {
      return await run(
        { deps, requestId: `${workflowExecution?.runId ?? ''}/${activityId}` },
        input,
      );
    } catch (thrown) {
      deps.log.warn(
        { err: thrown, workflowId: workflowExecution?.workflowId },
        'An activity failed',
      );
      throw toApplicationFailure(thrown);
    }
  };
}
