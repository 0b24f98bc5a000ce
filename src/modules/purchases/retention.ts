import type { Deps, SystemContext } from '../../context.ts';
import type { AppScope } from '../../shared/app.ts';
import { deleteExtensions } from './app-store/changes/queries.ts';
import { deleteNotices } from './app-store/notices/queries.ts';
import { deleteOrphaned } from './app-store/notifications/queries.ts';
import { deleteRefunds } from './refunds/settings-queries.ts';
import { deleteGrants } from './entitlement/grants-queries.ts';
import { deleteNames } from './entitlement/names-queries.ts';
import {
  deleteChains,
  deleteExpired,
  deleteLengths,
  deleteOfApp,
  expireTexts,
} from './retention-queries.ts';

/** Bounds the row locks of one statement. */
const BATCH = 500;

/** Deletes raw notifications past the retention of all their apps. */
export async function expireNotifications({
  sql,
  clock,
}: Pick<Deps, 'sql' | 'clock'>): Promise<number> {
  return sql.begin(async (tx) => {
    const expired = await deleteExpired(tx, { now: clock(), limit: BATCH });
    if (expired.length > 0) await deleteOrphaned(tx, expired);
    return expired.length;
  });
}

/** Keeps their fields. */
export async function expireSignedTexts({
  sql,
  clock,
}: Pick<Deps, 'sql' | 'clock'>): Promise<number> {
  return expireTexts(sql, { now: clock(), limit: BATCH });
}

/** Another app may have received it too. */
export async function removePurchases(
  { deps }: Pick<SystemContext<'sql'>, 'deps'>,
  app: AppScope,
): Promise<void> {
  const scope = { ...app, limit: BATCH };
  let removed = BATCH;
  while (removed === BATCH) {
    removed = await deps.sql.begin(async (tx) => {
      const keys = await deleteOfApp(tx, scope);
      if (keys.length > 0) await deleteOrphaned(tx, keys);
      return keys.length;
    });
  }
  removed = BATCH;
  while (removed === BATCH) removed = await deleteChains(deps.sql, scope);
  await deleteLengths(deps.sql, scope);
  await deleteGrants(deps.sql, scope);
  await deleteNames(deps.sql, scope);
  await deleteExtensions(deps.sql, scope);
  await deleteNotices(deps.sql, scope);
  await deleteRefunds(deps.sql, scope);
}
