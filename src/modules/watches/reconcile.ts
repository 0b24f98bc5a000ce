import type { Deps } from '../../context.ts';
import { watchCheckContract } from '../../temporal/contracts/watches.ts';
import { ensureMissing } from '../../temporal/ensure.ts';
import { insertMissingChecks, watchSchedules } from './checks-queries.ts';
import { deleteOldLooks } from './looks-queries.ts';

/** More than the looks that a history shows, of watches by week too. */
const KEEP_DAYS = 730;

export function ensureWatchChecks(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    ...watchSchedules,
    ensure: (temporal, { orgId }) => temporal.scheduleHourly(watchCheckContract, { orgId }),
  });
}

export async function reconcileWatches({ sql }: Pick<Deps, 'sql'>): Promise<void> {
  await insertMissingChecks(sql);
  await watchSchedules.ensureAgain(sql);
  await deleteOldLooks(sql, KEEP_DAYS);
}
