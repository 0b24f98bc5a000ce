import type { CleanupStep } from '../../chapter.ts';
import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import type { AppRunInput } from '../../temporal/contracts/apps.ts';
import { deletionState } from './queries.ts';

/**
 * Runs one step if the app's row says that it is deleted: the row decides, never the input of a run
 * alone. Throws `conflict`, which is not retried, for an app that is not deleted.
 */
export async function runCleanupStep(
  ctx: SystemContext,
  steps: readonly CleanupStep[],
  input: AppRunInput & { step: string },
): Promise<void> {
  const app = { orgId: parseId(input.orgId, 'orgId'), appId: parseId(input.appId, 'appId') };
  const state = await deletionState(ctx.deps.sql, app);
  // The last step is done, and its answer was lost.
  if (state === 'gone') return;
  if (state === 'alive') throw new AppError('conflict', 'This app is not deleted.');
  const step = steps.find(({ name }) => name === input.step);
  // A run of an earlier release may name a step that is gone.
  if (!step) {
    ctx.deps.log.warn({ step: input.step }, 'cleanup step skipped: this release does not have it');
    return;
  }
  // The last one takes away the row that asks for all of them, and only the run says they are done.
  const due = step === steps.at(-1) ? steps : [step];
  for (const one of due) await one.run(ctx, app);
}
