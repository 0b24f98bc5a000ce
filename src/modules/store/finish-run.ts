import type { SystemContext } from '../../context.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import type { FinishInput } from '../../temporal/contracts/store.ts';
import { announceConnection } from './announce-connection.ts';
import { markTrouble, markVerified, selectKey } from './connection-store.ts';
import { selectDays } from './days-store.ts';
import { planDays } from './plan.ts';
import { finishRun } from './syncs-store.ts';

const FIRST_WAIT_MS = 5 * MINUTE_MS;
const LONGEST_WAIT_MS = 6 * 60 * MINUTE_MS;
/** Nothing new happens sooner than this, so that a fault of planning never becomes a busy loop. */
const SHORTEST_WAIT_MS = MINUTE_MS;

/** Doubles with every run that failed, so that a rejected key is not asked about all day. */
function backOff(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10), LONGEST_WAIT_MS);
}

/**
 * Writes down how a run ended and says when the next one is due (milliseconds from now). The
 * connection is `invalid` from the run that the store refuses (`revoked` when it does for a day),
 * `connected` from one that works.
 */
export async function finishSyncRun(
  { deps }: SystemContext,
  input: FinishInput,
): Promise<{ waitMs: number; ended: boolean }> {
  const record = await selectKey(deps.sql, input.orgId);
  if (!record) return { waitMs: 0, ended: true };
  const { stop } = input;
  const now = deps.clock();
  const scope = { orgId: input.orgId, vendorNumber: record.vendorNumber };
  const records = await selectDays(deps.sql, scope);
  const { nextWakeAt } = planDays({ orgId: input.orgId, now, records, forcedAt: null });
  const planned = nextWakeAt.getTime() - now.getTime();
  const waitMs = stop ? (stop.waitMs ?? backOff(input.failures)) : planned;
  const wait = Math.max(waitMs, SHORTEST_WAIT_MS);
  await finishRun(deps.sql, scope, {
    at: now,
    lastError: stop?.message ?? null,
    stoppedBecause: stop?.because ?? null,
    waitUntil: stop ? new Date(now.getTime() + wait) : null,
  });
  await deps.sql.begin(async (tx) => {
    const at = now;
    const { orgId } = input;
    if (stop === null && input.checked > 0 && (await markVerified(tx, record, now))) {
      await announceConnection(tx, { orgId, at, status: 'connected', lastError: null });
    }
    if (stop === null || stop.because === 'budget') return;
    const trouble = { ...stop, keyAccepted: stop.keyAccepted ?? null };
    const status = await markTrouble(tx, record, trouble, at);
    if (status) await announceConnection(tx, { orgId, at, status, lastError: stop.message });
  });
  return { waitMs: wait, ended: false };
}
