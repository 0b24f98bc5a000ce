import type { Deps } from '../../../context.ts';
import { DAY_MS } from '../../../shared/time.ts';
import type { CollectResult } from '../../../temporal/contracts/store.ts';
import type { KeyRecord } from './connection-queries.ts';
import { noteSuccess, noteSyncError } from './connection-status.ts';
import { NO_STOP, type SyncRecord, updateSync } from './syncs-queries.ts';

export const overBudget = (waitMs: number): NonNullable<CollectResult['stop']> => ({
  because: 'budget',
  invalid: false,
  keyAccepted: true,
  message: "The store's hourly allowance is nearly used up. Collecting resumes by itself later.",
  waitMs,
});

export function stillOverBudget({ stoppedBecause, waitUntil }: SyncRecord, now: Date) {
  if (stoppedBecause !== 'budget' || waitUntil === null || waitUntil <= now) return null;
  return overBudget(waitUntil.getTime() - now.getTime());
}

const LONGEST_STOP_MS = DAY_MS;

/** Never from a result of the workflow. */
export async function noteEnd(
  deps: Pick<Deps, 'clock' | 'sql'>,
  record: KeyRecord,
  { checked, stop }: CollectResult,
  before: SyncRecord,
): Promise<void> {
  if (stop === null) {
    if (checked === 0) return;
    await noteSuccess(deps, record);
    return updateSync(deps.sql, record, NO_STOP);
  }
  const { because, message, invalid, keyAccepted = null, waitMs } = stop;
  const now = deps.clock();
  // Keeps the stop of an earlier run.
  if (stillOverBudget(before, now) !== null) return;
  const waitUntil =
    waitMs === null ? null : new Date(now.getTime() + Math.min(waitMs, LONGEST_STOP_MS));
  await updateSync(deps.sql, record, { stoppedBecause: because, lastError: message, waitUntil });
  if (because !== 'budget') await noteSyncError(deps, record, { invalid, keyAccepted, message });
}
