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

/** The stop of an earlier run while it lasts: asking costs requests of the same hour. */
export function stillOverBudget({ stoppedBecause, waitUntil }: SyncRecord, now: Date) {
  if (stoppedBecause !== 'budget' || waitUntil === null || waitUntil <= now) return null;
  return overBudget(waitUntil.getTime() - now.getTime());
}

/** Longest wait that a store may ask for. */
const LONGEST_STOP_MS = DAY_MS;

/** Records what the store itself said: whoever carries the result on has no say in it. */
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
  // That of an earlier run stands as it is.
  if (stillOverBudget(before, now) !== null) return;
  const waitUntil =
    waitMs === null ? null : new Date(now.getTime() + Math.min(waitMs, LONGEST_STOP_MS));
  await updateSync(deps.sql, record, { stoppedBecause: because, lastError: message, waitUntil });
  if (because !== 'budget') await noteSyncError(deps, record, { invalid, keyAccepted, message });
}
