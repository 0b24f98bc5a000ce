import type { Deps, SystemContext } from '../../context.ts';
import type { AppScope } from '../../shared/app.ts';
import { deleteOrphaned } from './app-store/notifications/queries.ts';
import { deleteExpired, deleteOfApp, expireTexts } from './retention-queries.ts';

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
}
