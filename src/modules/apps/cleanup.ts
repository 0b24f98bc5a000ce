import type { CleanupStep } from '../../chapter.ts';
import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import type { AppRunInput } from '../../temporal/contracts/apps.ts';
import { deletionState } from './queries.ts';

/** By the deleted row, not the run's input. Throws a permanent `conflict` for a live app. */
export async function runCleanupStep(
  ctx: SystemContext,
  steps: readonly CleanupStep[],
  input: AppRunInput & { step: string },
): Promise<void> {
  const app = { orgId: parseId(input.orgId, 'orgId'), appId: parseId(input.appId, 'appId') };
  const state = await deletionState(ctx.deps.sql, app);
  // A retry after the last step.
  if (state === 'gone') return;
  if (state === 'alive') throw new AppError('conflict', 'This app is not deleted.');
  const step = steps.find(({ name }) => name === input.step);
  // A step of an earlier release.
  if (!step) {
    ctx.deps.log.warn({ step: input.step }, 'cleanup step skipped: this release does not have it');
    return;
  }
  // The last removes the row that orders all, so it repeats them.
  const due = step === steps.at(-1) ? steps : [step];
  for (const one of due) await one.run(ctx, app);
}
