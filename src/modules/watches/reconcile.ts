import type { Deps } from '../../context.ts';
import { deleteOldRows } from '../../storage/old-rows.ts';
import { watchCheckContract } from '../../temporal/contracts/watches.ts';
import { ensureSchedules } from '../../temporal/ensure.ts';
import { insertMissingChecks, watchSchedules } from './checks-queries.ts';

/** More than the looks that a history shows, of watches by week too. */
const KEEP_DAYS = 730;

export const ensureWatchChecks = ensureSchedules(watchSchedules, watchCheckContract);

export async function reconcileWatches({ sql }: Pick<Deps, 'sql'>): Promise<void> {
  await insertMissingChecks(sql);
  await watchSchedules.ensureAgain(sql);
  await deleteOldRows(sql, 'watch_looks', KEEP_DAYS, 'to_at');
}
