import type { OrgContext } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { selectStoreApps } from './apps-queries.ts';
import { selectAccount, selectConnection } from './connection-queries.ts';
import { refreshApps } from './discover.ts';
import type { StoreAppLink, StoreConnection } from './model.ts';
import { toAppError } from './sync-error.ts';

const ANSWER_WITHIN_MS = MINUTE_MS / 3;

export function notConnected(message = 'No store is connected.'): AppError {
  return new AppError('store_not_connected', message, {
    hint: 'Connect one with POST /v1/store/connection.',
  });
}

export function getConnection({ deps, orgId }: OrgContext<'sql'>): Promise<StoreConnection | null> {
  return selectConnection(deps.sql, orgId);
}

export function listStoreApps({ deps, orgId }: OrgContext<'sql'>): Promise<StoreAppLink[]> {
  return selectStoreApps(deps.sql, orgId);
}

export async function refreshStoreApps(
  ctx: OrgContext<'clock' | 'log' | 'secrets' | 'sql' | 'store'>,
): Promise<{ count: number }> {
  const deadline = new Date(ctx.deps.clock().getTime() + ANSWER_WITHIN_MS);
  let count: number | null;
  try {
    count = await refreshApps(ctx, { orgId: ctx.orgId, deadline });
  } catch (thrown) {
    throw toAppError(thrown);
  }
  if (count !== null) return { count };
  const account = await selectAccount(ctx.deps.sql, ctx.orgId);
  throw notConnected(account ? 'The connection has no key.' : undefined);
}
