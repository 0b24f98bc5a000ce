import type { SystemContext } from '../../../context.ts';
import type { StoreKey } from '../../../providers/store/port.ts';
import { StoreFault } from '../../../providers/store/port.ts';
import { addDays, pacificDay } from '../../../shared/pacific.ts';
import { SECOND_MS, sleep } from '../../../shared/time.ts';
import type { StoreConnectionInput } from '../../../temporal/contracts/store.ts';
import * as queries from './connection-queries.ts';
import { announceConnection } from './connection-status.ts';
import { openKey } from './opened-key.ts';
import { toAppError } from './sync-error.ts';
import { clearSyncError } from './syncs-queries.ts';

/** Reports of this age are published everywhere. */
const CHECK_AGE_DAYS = 2;
const ATTEMPTS = 3;
const PAUSE_MS = 400;

/**
 * By a day of sales. An unknown number and an outage are both "unexpected error": three in a row
 * mean the number.
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

/** Throws an AppError for a refused key. */
export async function verifyKey(
  ctx: SystemContext<'clock' | 'secrets' | 'sql' | 'store'>,
  input: StoreConnectionInput,
): Promise<void> {
  const record = await queries.selectCandidate(ctx.deps.sql, input.orgId, input.connectionId);
  // A retry after the key was accepted.
  if (!record) return;
  const key = openKey(ctx.deps, record);
  try {
    await ctx.deps.store.checkKey(key);
    await checkVendor(ctx, key, record.vendorNumber);
    await queries.markCandidate(ctx.deps.sql, input, { verifiedAt: ctx.deps.clock() });
  } catch (thrown) {
    if (thrown instanceof StoreFault) {
      await queries.markCandidate(ctx.deps.sql, input, { refusedAt: ctx.deps.clock() });
    }
    throw toAppError(thrown);
  }
}

/** False when it was withdrawn meanwhile. */
export async function acceptKey(
  ctx: SystemContext<'clock' | 'secrets' | 'sql' | 'store'>,
  input: StoreConnectionInput,
): Promise<boolean> {
  const { deps } = ctx;
  const { orgId, connectionId } = input;
  if (!(await queries.isVerified(deps.sql, input))) await verifyKey(ctx, input);
  const at = deps.clock();
  const promoted = await deps.sql.begin(async (tx) => {
    if (!(await queries.promoteCandidate(tx, orgId, connectionId, at))) return false;
    await clearSyncError(tx, orgId, connectionId);
    await announceConnection(tx, orgId, at, { status: 'connected', lastError: null });
    return true;
  });
  return promoted || queries.isPromoted(deps.sql, orgId, connectionId);
}

/** Longer than the timeout of a verification. */
const VERIFIED_WITHIN_MS = 20 * SECOND_MS;

export async function dropCandidate(
  { deps }: SystemContext<'clock' | 'sql'>,
  input: StoreConnectionInput,
): Promise<void> {
  const madeBefore = new Date(deps.clock().getTime() - VERIFIED_WITHIN_MS);
  await queries.dropFailedCandidate(deps.sql, input, madeBefore);
}
