import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import type { AppRunInput } from '../../temporal/contracts/apps.ts';
import { detachBackend } from '../backend/store.ts';
import { deleteAppEvents } from '../events/forget/store.ts';
import { deleteAppFunnels } from '../funnels/store.ts';
import { deleteLogsOfApp } from '../logs/partition-store.ts';
import { removeMarketing } from '../marketing/remove.ts';
import { removePreview } from '../preview/remove.ts';
import { removePurchases } from '../purchases/forget.ts';
import { unlinkDeletedApp } from '../store/apps-store.ts';
import { deletionState, removeApp } from './store.ts';

/** One thing that goes with an app. It may run twice, and after a crash it runs again. */
export type CleanupStep = {
  name: string;
  run: (ctx: SystemContext, app: AppRunInput) => Promise<void>;
};

/**
 * What the deletion of an app removes, in this order. Every chapter that keeps something per app
 * has its line here; rows that reference `apps` go with the last step.
 */
const CLEANUP_STEPS: readonly CleanupStep[] = [
  { name: 'events', run: ({ deps }, app) => deleteAppEvents(deps.sql, app) },
  { name: 'funnels', run: ({ deps }, app) => deleteAppFunnels(deps.sql, app) },
  { name: 'backend', run: ({ deps }, app) => detachBackend(deps.sql, app) },
  { name: 'preview', run: removePreview },
  { name: 'logs', run: ({ deps }, app) => deleteLogsOfApp(deps.sql, app) },
  { name: 'marketing', run: removeMarketing },
  {
    name: 'store link',
    run: ({ deps }, { orgId, appId }) => unlinkDeletedApp(deps.sql, orgId, appId),
  },
  { name: 'purchases', run: removePurchases },
  { name: 'app', run: ({ deps }, { orgId, appId }) => removeApp(deps.sql, orgId, appId) },
];

export function cleanupStepNames(): string[] {
  return CLEANUP_STEPS.map(({ name }) => name);
}

/**
 * Runs one step, if the app's row still says that it is deleted: a run carries out rows, and its
 * input alone asks for nothing. Throws `conflict`, which no attempt cures, for an app that is alive.
 */
export async function runCleanupStep(
  ctx: SystemContext,
  input: AppRunInput & { step: string },
): Promise<void> {
  const [orgId, appId] = [parseId(input.orgId, 'orgId'), parseId(input.appId, 'appId')];
  const state = await deletionState(ctx.deps.sql, orgId, appId);
  // The last step was done already, and its answer got lost.
  if (state === 'gone') return;
  if (state === 'alive') throw new AppError('conflict', 'Nobody has deleted this app.');
  const step = CLEANUP_STEPS.find(({ name }) => name === input.step);
  // A run that began before a release may name a step that this one no longer has.
  if (!step) ctx.deps.log.warn({ step: input.step }, 'There is no such cleanup step any more');
  else await step.run(ctx, { orgId, appId });
}
