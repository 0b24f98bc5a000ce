import type { CleanupStep } from '../../chapter.ts';
import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import type { AppRunInput } from '../../temporal/contracts/apps.ts';
import { deletionState } from './queries.ts';

/**
 * Runs one step, if the app's row still says that it is deleted: a run carries out rows, and its
 * input alone asks for nothing. Throws `conflict`, which no attempt cures, for an app that is alive.
 */
export async function runCleanupStep(
  ctx: SystemContext,
  steps: readonly CleanupStep[],
  input: AppRunInput & { step: string },
): Promise<void> {
  const [orgId, appId] = [parseId(input.orgId, 'orgId'), parseId(input.appId, 'appId')];
  const state = await deletionState(ctx.deps.sql, orgId, appId);
  // The last step was done already, and its answer got lost.
  if (state === 'gone') return;
  if (state === 'alive') throw new AppError('conflict', 'Nobody has deleted this app.');
  const step = steps.find(({ name }) => name === input.step);
  // A run that began before a release may name a step that this one no longer has.
  if (!step) ctx.deps.log.warn({ step: input.step }, 'There is no such cleanup step any more');
  else await step.run(ctx, { orgId, appId });
}
