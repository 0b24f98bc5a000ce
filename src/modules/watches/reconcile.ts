import type { Deps } from '../../context.ts';
import { watchCheckContract } from '../../temporal/contracts/watches.ts';
import { ensureMissing } from '../../temporal/ensure.ts';
import {
  forgetEnsuredChecks,
  insertMissingChecks,
  markChecksEnsured,
  selectChecksWithoutRun,
} from './checks-queries.ts';
import { deleteOldLooks } from './looks-queries.ts';

/** More than the looks that a history shows, of watches by week too. */
const KEEP_DAYS = 730;
/** In case Temporal has lost a schedule. */
const ENSURED_AGAIN_HOURS = 2;

export function ensureWatchChecks(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    select: selectChecksWithoutRun,
    ensure: (temporal, { orgId }) => temporal.scheduleHourly(watchCheckContract, { orgId }),
    markEnsured: markChecksEnsured,
  });
}

export async function reconcileWatches({ sql }: Pick<Deps, 'sql'>): Promise<void> {
  await insertMissingChecks(sql);
  await forgetEnsuredChecks(sql, ENSURED_AGAIN_HOURS);
  await deleteOldLooks(sql, KEEP_DAYS);
}
