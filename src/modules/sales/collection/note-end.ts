import type { Deps, SystemContext } from '../../../context.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/time.ts';
import type { CollectResult, FinishInput } from '../../../temporal/contracts/store.ts';
import { dayKey, planDays } from '../days/plan.ts';
import { selectDays } from '../days/queries.ts';
import { type KeyRecord, selectKey } from './connection-queries.ts';
import { noteSuccess, noteSyncError } from './connection-status.ts';
import { NO_STOP, type SyncRecord, selectSync, updateSync } from './syncs-queries.ts';

const FIRST_WAIT_MS = 5 * MINUTE_MS;
const LONGEST_WAIT_MS = 6 * 60 * MINUTE_MS;
/** Keeps a planning error from becoming a busy loop. */
const SHORTEST_WAIT_MS = MINUTE_MS;

function backOff(failures: number): number {
  const doublings = Math.max(0, Math.min(failures - 1, 10));
  return Math.min(FIRST_WAIT_MS * 2 ** doublings, LONGEST_WAIT_MS);
}

export async function finishSyncRun(
  { deps }: SystemContext<'clock' | 'sql'>,
  { orgId, failures }: FinishInput,
): Promise<{ waitMs: number; ended: boolean }> {
  const record = await selectKey(deps.sql, orgId);
  if (!record) return { waitMs: 0, ended: true };
  const now = deps.clock();
  const { stoppedBecause, waitUntil, trialsError } = await selectSync(deps.sql, record);
  if (stoppedBecause !== null) {
    const asked = waitUntil === null ? 0 : waitUntil.getTime() - now.getTime();
    const wait = Math.max(asked > 0 ? asked : backOff(failures), SHORTEST_WAIT_MS);
    const until = new Date(now.getTime() + wait);
    await updateSync(deps.sql, record, { lastRunAt: now, waitUntil: until });
    return { waitMs: wait, ended: false };
  }
  const days = await selectDays(deps.sql, record);
  const isRead = (key: string) => trialsError === null || key.startsWith(dayKey('SALES', ''));
  const records = new Map([...days].filter(([key]) => isRead(key)));
  const { nextWakeAt } = planDays({ orgId, now, records, forcedAt: null });
  await updateSync(deps.sql, record, { lastRunAt: now });
  return { waitMs: Math.max(nextWakeAt.getTime() - now.getTime(), SHORTEST_WAIT_MS), ended: false };
}

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
