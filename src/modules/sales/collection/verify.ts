import type { SystemContext } from '../../../context.ts';
import type { StoreKey } from '../../../providers/store/port.ts';
import { StoreFault } from '../../../providers/store/port.ts';
import { addDays, pacificDay } from '../../../shared/pacific.ts';
import { sleep } from '../../../shared/time.ts';
import type { StoreConnectionInput } from '../../../temporal/contracts/store.ts';
import {
  deleteCandidate,
  isPromoted,
  promoteCandidate,
  selectCandidate,
} from './connection-queries.ts';
import { announceConnection } from './connection-status.ts';
import { openKey } from './opened-key.ts';
import { clearTrouble } from './syncs-queries.ts';
import { toAppError } from './trouble.ts';

/** Two days ago, whose report is published everywhere. */
const CHECK_AGE_DAYS = 2;
const ATTEMPTS = 3;
const PAUSE_MS = 400;

/**
 * Fetches a day of sales, which proves vendor number and role. The store answers "unexpected error"
 * for an unknown vendor number as for an outage: after three of them it is the number, as the same
 * key lists apps.
 */
async function checkVendor(
  { deps }: SystemContext<'clock' | 'store'>,
  key: StoreKey,
  vendorNumber: string,
): Promise<void> {
  const day = addDays(pacificDay(deps.clock()), -CHECK_AGE_DAYS);
  const request = { vendorNumber, reportType: 'SALES', day, version: '1_0' } as const;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await deps.store.dailyReport(key, request);
      return;
    } catch (thrown) {
      if (!(thrown instanceof StoreFault) || thrown.kind !== 'unexpected') throw thrown;
      if (attempt === ATTEMPTS) {
        throw new StoreFault('vendor', 'The store fails for this vendor number.', {
          cause: thrown,
        });
      }
      await sleep(PAUSE_MS * attempt);
    }
  }
}

/** Throws an AppError with the reason when the store refuses the key. */
export async function verifyKey(
  ctx: SystemContext<'clock' | 'secrets' | 'sql' | 'store'>,
  input: StoreConnectionInput,
): Promise<void> {
  const record = await selectCandidate(ctx.deps.sql, input.orgId, input.connectionId);
  // A retry after the key was accepted.
  if (!record) return;
  const key = openKey(ctx.deps, record);
  try {
    await ctx.deps.store.checkKey(key);
    await checkVendor(ctx, key, record.vendorNumber);
  } catch (thrown) {
    throw toAppError(thrown);
  }
}

/** Makes the verified key the organization's; false when it was withdrawn meanwhile. */
export async function acceptKey(
  { deps }: SystemContext<'clock' | 'sql'>,
  input: StoreConnectionInput,
): Promise<boolean> {
  const { orgId, connectionId } = input;
  const at = deps.clock();
  const promoted = await deps.sql.begin(async (tx) => {
    if (!(await promoteCandidate(tx, orgId, connectionId, at))) return false;
    await clearTrouble(tx, orgId, connectionId);
    await announceConnection(tx, orgId, at, { status: 'connected', lastError: null });
    return true;
  });
  return promoted || isPromoted(deps.sql, orgId, connectionId);
}

export async function dropCandidate(
  { deps }: SystemContext<'sql'>,
  input: StoreConnectionInput,
): Promise<void> {
  await deleteCandidate(deps.sql, input.orgId, input.connectionId);
}
