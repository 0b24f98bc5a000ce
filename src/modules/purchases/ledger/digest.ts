import type { ChainStatus, Renewal, Transaction } from '../../../shared/purchase.ts';
import { STORE_FACTS, type Store } from '../../../shared/stores.ts';
import type { StatusAsOf } from '../model/chain.ts';
import type { ChainDigest, Holding } from '../model/stored.ts';

export type ChainFacts = {
  chainId: string;
  /** The App Store by default. */
  store?: Store;
  transactions: readonly Transaction[];
  renewal: Renewal | null;
  status: StatusAsOf | null;
};

function byPurchase(a: Transaction, b: Transaction): number {
  return (
    a.purchasedAt - b.purchasedAt ||
    (a.expiresAt ?? 0) - (b.expiresAt ?? 0) ||
    a.transactionId.length - b.transactionId.length ||
    (a.transactionId < b.transactionId ? -1 : 1)
  );
}

function isSubscription(transaction: Transaction): boolean {
  if (transaction.type === 'subscription') return true;
  const { type, expiresAt } = transaction;
  return (type === 'unknown' || type === 'non_renewing') && expiresAt !== null;
}

function isLasting({ type, expiresAt }: Transaction): boolean {
  return type === 'non_consumable' || (type === 'non_renewing' && expiresAt === null);
}

function isSuperseded(
  period: Transaction,
  all: readonly Transaction[],
  store: Store | undefined,
): boolean {
  if (period.upgraded || (store && STORE_FACTS[store].hasAddOns)) return period.upgraded;
  return all.some(
    (later) =>
      later.productId !== period.productId &&
      later.purchasedAt > period.purchasedAt &&
      later.purchasedAt < (period.expiresAt ?? 0),
  );
}

function holding(transaction: Transaction): Holding {
  const { productId, purchasedAt, expiresAt, revokedAt, ownership } = transaction;
  const { committedUntil, commitmentPeriod } = transaction;
  return {
    ...{ productId, purchasedAt, expiresAt, revoked: revokedAt !== null, ownership },
    ...(committedUntil === undefined ? {} : { committedUntil }),
    ...(commitmentPeriod === undefined ? {} : { commitmentPeriod }),
  };
}

function pastHoldings(sorted: readonly Transaction[], current: Transaction): Holding[] {
  const newest = new Map<string, Transaction>();
  for (const period of sorted) {
    if (period.productId === current.productId) continue;
    const before = newest.get(period.productId);
    // A refunded period does not hide an earlier valid one.
    if (!before || period.revokedAt === null || before.revokedAt !== null) {
      newest.set(period.productId, period);
    }
  }
  return [...newest.values()].map(holding);
}

function newestSignature(facts: ChainFacts): number {
  return Math.max(
    0,
    facts.renewal?.signedAt ?? 0,
    ...facts.transactions.map((transaction) => transaction.signedAt),
  );
}

/** Unless signed facts are newer. A refund of an earlier renewal ends nothing. */
function statusInForce(facts: ChainFacts, newest: Transaction | undefined): ChainStatus | null {
  if (!facts.status || facts.status.asOf < newestSignature(facts)) return null;
  const { status, transactionId } = facts.status;
  const subject = facts.transactions.find((period) => period.transactionId === transactionId);
  if (status === 'revoked' && subject && subject !== newest) return null;
  if (status === 'active' && newest?.revokedAt && continuation(facts, newest) === null) return null;
  return status;
}

/** End of the newest period, even of one not received yet. */
function continuation(facts: ChainFacts, newest: Transaction): number | null {
  const renewsAt = facts.renewal?.renewsAt ?? null;
  return renewsAt !== null && renewsAt > (newest.expiresAt ?? 0) ? renewsAt : null;
}

function findBillingIssue(facts: ChainFacts, current: Transaction): ChainDigest['trouble'] {
  const renewal = facts.renewal;
  // Older renewal info is about an earlier period.
  if (!renewal || renewal.signedAt < current.purchasedAt) return null;
  return {
    graceExpiresAt: renewal.graceExpiresAt,
    retrying: renewal.inBillingRetry,
    asOf: renewal.signedAt,
  };
}

/** The plan, where the newest is an add-on that ends with it. */
function findCurrent(periods: readonly Transaction[]): Transaction | undefined {
  const newest = periods.at(-1);
  if (!newest?.isAddOn) return newest;
  const isPlan = (one: Transaction) => !one.isAddOn && one.expiresAt === newest.expiresAt;
  return periods.findLast(isPlan) ?? newest;
}

function foldDigest(facts: ChainFacts, periods: readonly Transaction[]): ChainDigest {
  const newest = periods.at(-1);
  const current = findCurrent(periods.filter((period) => period.revokedAt === null)) ?? newest;
  const status = statusInForce(facts, newest);
  const refunded = newest !== undefined && newest.revokedAt !== null;
  return {
    chainId: facts.chainId,
    current: current ? holding(current) : null,
    refundedAfter: refunded && newest !== current ? holding(newest) : null,
    past: current ? pastHoldings(periods, current) : [],
    renews: facts.renewal?.willRenew ?? false,
    ...(facts.renewal?.isCommitted ? { isCommitted: true as const } : {}),
    trouble: current ? findBillingIssue(facts, current) : null,
    status,
    continuesUntil: status === 'active' && refunded ? continuation(facts, newest) : null,
  };
}

export function digestChain(facts: ChainFacts): ChainDigest {
  const sorted = [...facts.transactions].sort(byPurchase);
  const subscription = sorted.filter(isSubscription);
  if (subscription.length > 0) {
    return foldDigest(
      facts,
      subscription.filter((period) => !isSuperseded(period, subscription, facts.store)),
    );
  }
  const lasting = sorted.filter(isLasting);
  return foldDigest({ ...facts, renewal: null, status: null }, lasting);
}
