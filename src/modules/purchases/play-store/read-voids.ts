import type { SystemContext } from '../../../context.ts';
import type { VoidedPurchase } from '../../../providers/play-store/port.ts';
import type { AppScope } from '../../../shared/app.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import type { Transaction } from '../../../shared/purchase.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/time.ts';
import type { Tx } from '../../../storage/postgres.ts';
import { announceChanges } from '../ledger/announce-changes.ts';
import { selectTransactions } from '../ledger/facts-queries.ts';
import { recordFacts } from '../ledger/record-facts.ts';
import { closeRefundRequests } from '../ledger/refund-requests-queries.ts';
import type { ChainKey } from '../model/chain.ts';
import { type OpenPlayKey, openPlayKey } from './connection.ts';
import { hintAtToken } from './due-queries.ts';
import { orderIdOf } from './estimate.ts';
import { recordVoidsRead, selectKeyOfToken, selectVoidsDue } from './voids-queries.ts';

/** Transactions without an order that pays for them. A part of several takes nothing away. */
export function revokedBy(
  { orderId, voidedAt: revokedAt, quantity }: VoidedPurchase,
  known: readonly Transaction[],
  at: number,
): Transaction[] {
  if (quantity !== null) return [];
  return (
    known
      .filter((one) => one.revokedAt === null && orderIdOf(one.transactionId) === orderId)
      // Money that is given back, also of replaced periods.
      .map((one) => ({
        ...one,
        ...{ revokedAt, upgraded: false },
        // Newer than the answer that it changes, also by the clock of another host.
        signedAt: Math.max(at, one.signedAt + 1),
      }))
  );
}

type VoidsContext = SystemContext<'clock' | 'playStore' | 'secrets' | 'sql'>;

/** Google keeps thirty days; one that it records late is seen in the overlap. */
const KEPT_MS = 30 * DAY_MS - HOUR_MS;
const OVERLAP_MS = 2 * DAY_MS;
const EVERY_MS = HOUR_MS;
const AFTER_A_FAULT_MS = 10 * MINUTE_MS;
const MAX_PAGES = 50;

async function revoke(tx: Tx, key: ChainKey, voided: VoidedPurchase, at: Date): Promise<boolean> {
  const known = await selectTransactions(tx, key);
  const revoked = revokedBy(voided, known, at.getTime());
  for (const snapshot of revoked) {
    const changes = await recordFacts(tx, key, {
      transaction: { snapshot, details: null },
      ...{ renewal: null, status: null, checkedAt: at, receivedAt: at },
    });
    await announceChanges(tx, key, changes, at);
  }
  return revoked.length > 0;
}

async function record(
  { deps }: VoidsContext,
  scope: AppScope,
  voided: VoidedPurchase,
): Promise<void> {
  const at = deps.clock();
  const { purchaseToken } = voided;
  await deps.sql.begin(async (tx) => {
    const key = await selectKeyOfToken(tx, scope, purchaseToken);
    // Its order says how much; the overlap brings an unknown one again, after the answer.
    if (!key || (await revoke(tx, key, voided, at)))
      await hintAtToken(tx, { ...scope, purchaseToken, kind: 'subscription', at });
    if (voided.quantity !== null) return;
    const order = { ...scope, environment: REAL_PURCHASES };
    const { orderId: transactionId, voidedAt: atMs } = voided;
    await closeRefundRequests(tx, order, { transactionId, outcome: 'refunded', atMs });
  });
}

/** All pages. Throws `ProviderError`, also of more than can be read at once. */
async function readPages(
  ctx: VoidsContext,
  scope: AppScope,
  { opened, sinceMs }: { opened: OpenPlayKey; sinceMs: number },
): Promise<number> {
  const { key, packageName } = opened;
  let page: string | null = null;
  let voided = 0;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const found = await ctx.deps.playStore.voided(key, { packageName, sinceMs, page });
    for (const one of found.voided) await record(ctx, scope, one);
    voided += found.voided.length;
    page = found.nextPage;
    if (page === null) return voided;
  }
  throw new ProviderError('unavailable', 'Google Play lists more voided purchases than are read.');
}

/** Also a refund that Google Play's answer about the purchase does not show. */
export async function readPlayVoids(
  ctx: VoidsContext,
  scope: AppScope,
): Promise<{ voided: number }> {
  const { deps } = ctx;
  const askedAt = deps.clock();
  const due = await selectVoidsDue(deps.sql, scope, askedAt);
  const opened = due && (await openPlayKey({ deps, orgId: scope.orgId }, scope.appId));
  if (!due || !opened) return { voided: 0 };
  const readTo = due.readTo?.getTime();
  const oldest = askedAt.getTime() - KEPT_MS;
  const sinceMs = readTo === undefined ? oldest : Math.max(oldest, readTo - OVERLAP_MS);
  const after = (ms: number) => new Date(askedAt.getTime() + ms);
  try {
    const voided = await readPages(ctx, scope, { opened, sinceMs });
    const read = { askedAt, nextAt: after(EVERY_MS), readTo: askedAt, error: null };
    await recordVoidsRead(deps.sql, scope, read);
    return { voided };
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    const failed = { askedAt, nextAt: after(AFTER_A_FAULT_MS), readTo: null };
    await recordVoidsRead(deps.sql, scope, { ...failed, error: thrown.message });
    return { voided: 0 };
  }
}
