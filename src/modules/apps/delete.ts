import type { AppContext } from '../../context.ts';
import { AppError, orNotFound } from '../../shared/errors.ts';
import { appDeletionContract } from '../../temporal/contracts/apps.ts';
import { ensureSoon } from '../../temporal/ensure.ts';
import { announce, deliverSoon } from '../webhooks/index.ts';
import type { DeletedApp } from './model.ts';
import { markDeleted } from './queries.ts';

const NOTE =
  "The app and its data are being removed. The organization's sales figures, the customer's backend project and the code repository stay as they are.";

/** `appDeletion/<appId>` removes the rest. */
export async function deleteApp(
  {
    deps,
    orgId,
    app,
  }: AppContext<'clock' | 'deviceKeys' | 'flagKeys' | 'log' | 'sql' | 'temporal'>,
  input: { confirm?: string | undefined },
): Promise<DeletedApp> {
  if (input.confirm !== undefined && input.confirm !== app.slug) {
    throw new AppError('confirmation_mismatch', 'The confirmation is not the slug of the app.', {
      hint: `confirm: must be "${app.slug}"`,
    });
  }
  const scope = { orgId, appId: app.id };
  await deps.sql.begin(async (tx) => {
    orNotFound(await markDeleted(tx, { ...scope, at: deps.clock() }));
    const data = { id: app.id, slug: app.slug, displayName: app.displayName };
    await announce(tx, deps.clock, { orgId, type: 'app.deleted', data });
  });
  deps.deviceKeys.forget((device) => device.appId === app.id);
  deps.flagKeys.forget((reader) => reader.appId === app.id);
  ensureSoon(deps, appDeletionContract, scope);
  deliverSoon(deps, orgId);
  return { deleted: true, id: app.id, displayName: app.displayName, note: NOTE };
}
