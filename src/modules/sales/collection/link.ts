import type { OrgContext } from '../../../context.ts';
import { AppError, notFound } from '../../../shared/errors.ts';
import { selectApp } from '../../apps/index.ts';
import { link, lockStoreApps, selectStoreApp, unlink } from './apps-queries.ts';
import type { LinkInput } from './model.ts';

export function storeAppNotFound(): AppError {
  return new AppError('store_app_not_found', 'No such store app in this organization.', {
    hint: 'storeAppId: must be one of GET /v1/store/apps',
  });
}

export async function linkApp(
  { deps, orgId }: OrgContext<'clock' | 'sql'>,
  { storeAppId, appId }: LinkInput,
): Promise<{ linked: boolean }> {
  return deps.sql.begin(async (tx) => {
    await lockStoreApps(tx, orgId);
    if (!(await selectStoreApp(tx, orgId, storeAppId))) throw storeAppNotFound();
    if (appId !== null && !(await selectApp(tx, orgId, appId))) throw notFound();
    await unlink(tx, orgId, { storeAppId, appId });
    if (appId === null) return { linked: false };
    await link(tx, orgId, { storeAppId, appId, at: deps.clock() });
    return { linked: true };
  });
}
