import type { Deps, SystemContext } from '../../context.ts';
import { deleteChains, deleteExpired, deleteTakenIn, deleteUnheld } from './forget-queries.ts';
import { forgetRenewalTexts, forgetTransactionTexts } from './signed-queries.ts';

/** Small enough that no statement holds anybody up. */
const BATCH = 500;

/** Removes a batch of raw notifications past the retention of every app that took them in. */
export async function forgetOldNotifications({
  sql,
  clock,
}: Pick<Deps, 'sql' | 'clock'>): Promise<number> {
  return sql.begin(async (tx) => {
    const expired = await deleteExpired(tx, { now: clock(), limit: BATCH });
    if (expired.length > 0) await deleteUnheld(tx, expired);
    return expired.length;
  });
}

/** Takes out a batch of signed texts past the retention of their app; their fields stay. */
export async function forgetOldTexts({ sql, clock }: Pick<Deps, 'sql' | 'clock'>): Promise<number> {
  const options = { now: clock(), limit: BATCH };
  const transactions = await forgetTransactionTexts(sql, options);
  return transactions + (await forgetRenewalTexts(sql, options));
}

/** For the app's deletion: its purchases, and the raw notifications that no other app has. */
export async function removePurchases(
  { deps }: Pick<SystemContext, 'deps'>,
  app: { orgId: string; appId: string },
): Promise<void> {
  const scope = { ...app, limit: BATCH };
  let removed = BATCH;
  while (removed === BATCH) {
    removed = await deps.sql.begin(async (tx) => {
      const keys = await deleteTakenIn(tx, scope);
      if (keys.length > 0) await deleteUnheld(tx, keys);
      return keys.length;
    });
  }
  removed = BATCH;
  while (removed === BATCH) removed = await deleteChains(deps.sql, scope);
}
