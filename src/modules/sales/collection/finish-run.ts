import type { SystemContext } from '../../../context.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import type { FinishInput } from '../../../temporal/contracts/store.ts';
import { selectKey } from './connection-queries.ts';
import { noteSuccess, noteTrouble } from './connection-status.ts';
import { selectDays } from './days-queries.ts';
import { planDays } from './plan.ts';
import { updateSync } from './syncs-queries.ts';

const FIRST_WAIT_MS = 5 * MINUTE_MS;
const LONGEST_WAIT_MS = 6 * 60 * MINUTE_MS;
/** Keeps a planning error from becoming a busy loop. */
const SHORTEST_WAIT_MS = MINUTE_MS;

/** Exponential, so that a rejected key is not tried all day. */
function backOff(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10), LONGEST_WAIT_MS);
}

/**
 * Records how a run ended and returns when the next one is due, in milliseconds. The connection is
 * `invalid` after a run that the store refuses (`revoked` after a day of them), `connected` after
 * one that works.
 */
export async function finishSyncRun(
  { deps }: SystemContext<'clock' | 'sql'>,
  input: FinishInput,
): Promise<{ waitMs: number; ended: boolean }> {
  const record = await selectKey(deps.sql, input.orgId);
  if (!record) return { waitMs: 0, ended: true };
  const { stop } = input;
  const now = deps.clock();
  const records = await selectDays(deps.sql, record);
  const { nextWakeAt } = planDays({ orgId: input.orgId, now, records, forcedAt: null });
  const planned = nextWakeAt.getTime() - now.getTime();
  const waitMs = stop ? (stop.waitMs ?? backOff(input.failures)) : planned;
  const wait = Math.max(waitMs, SHORTEST_WAIT_MS);
  if (stop === null && input.checked === 0) {
    // Without a request nothing shows that an earlier fault is over.
    await updateSync(deps.sql, record, { lastRunAt: now });
  } else {
    await updateSync(deps.sql, record, {
      lastRunAt: now,
      lastError: stop?.message ?? null,
      stoppedBecause: stop?.because ?? null,
      waitUntil: stop ? new Date(now.getTime() + wait) : null,
    });
  }
  if (stop === null && input.checked > 0) await noteSuccess(deps, record);
  if (stop !== null && stop.because !== 'budget') {
    await noteTrouble(deps, record, { ...stop, keyAccepted: stop.keyAccepted ?? null });
  }
  return { waitMs: wait, ended: false };
}
