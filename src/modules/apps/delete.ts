import type { CleanupStep } from '../../chapter.ts';
import type { Alone, AppContext, SystemContext } from '../../context.ts';
import { AppError, orNotFound } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import { untilCallsEnd } from '../../storage/outgoing-calls-queries.ts';
import { type AppRunInput, appDeletionContract } from '../../temporal/contracts/apps.ts';
import { ensureSoon } from '../../temporal/ensure.ts';
import { announce, deliverSoon } from '../webhooks/index.ts';
import type { DeletedApp } from './model.ts';
import { deletionState, markDeleted } from './queries.ts';

/** By the deleted row. Throws `conflict` for a live app. */
export async function runCleanupStep(
  ctx: SystemContext<Alone>,
  steps: readonly CleanupStep[],
  input: AppRunInput & { step: string },
): Promise<void> {
  const app = { orgId: parseId(input.orgId, 'orgId'), appId: parseId(input.appId, 'appId') };
  const state = await deletionState(ctx.deps.sql, app);
  if (state === 'gone') return;
  if (state === 'alive') throw new AppError('conflict', 'This app is not deleted.');
  const step = steps.find(({ name }) => name === input.step);
  // A step of an earlier release.
  if (!step) {
    ctx.deps.log.warn({ step: input.step }, 'cleanup step skipped: this release does not have it');
    return;
  }
  // The last removes the row that orders all.
  const due = step === steps.at(-1) ? steps : [step];
  for (const one of due) await one.run(ctx, app);
}

const NOTE =
  "The app and its data are being removed. The organization's sales figures, the customer's backend project and the code repository stay as they are.";

/** `appDeletion/<appId>` removes the rest. */
export async function deleteApp(
  {
    deps,
    orgId,
    app,
    scope,
  }: AppContext<'clock' | 'deviceKeys' | 'flagKeys' | 'log' | 'sql' | 'temporal'>,
  input: { confirm?: string | undefined },
): Promise<DeletedApp> {
  if (input.confirm !== undefined && input.confirm !== app.slug) {
    throw new AppError('confirmation_mismatch', 'The confirmation is not the slug of the app.', {
      hint: `confirm: must be "${app.slug}"`,
    });
  }
  await deps.sql.begin(async (tx) => {
    orNotFound(await markDeleted(tx, { ...scope, at: deps.clock() }));
    const data = { id: app.id, slug: app.slug, displayName: app.displayName };
    await announce(tx, deps.clock, { orgId, type: 'app.deleted', data });
  });
  deps.deviceKeys.forget((device) => device.appId === app.id);
  deps.flagKeys.forget((reader) => reader.appId === app.id);
  ensureSoon(deps, appDeletionContract, scope);
  deliverSoon(deps, orgId);
  await untilCallsEnd(deps, orgId);
  return { deleted: true, id: app.id, displayName: app.displayName, note: NOTE };
}
