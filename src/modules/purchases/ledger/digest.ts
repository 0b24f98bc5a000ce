import { type Static, Type } from '@sinclair/typebox';
import type {
  RenewalSnapshot,
  StoreStatus,
  TransactionSnapshot,
} from '../../../providers/store-server/port.ts';
import { Nullable, OneOf } from '../../../shared/schema.ts';

/** Apple's subscription status, and the transaction that it came with. */
export type StatusSnapshot = { status: StoreStatus; asOf: number; transactionId: string | null };

/** Recorded facts of a chain: all transactions with one original transaction. */
export type ChainFacts = {
  originalTransactionId: string;
  transactions: readonly TransactionSnapshot[];
  renewal: RenewalSnapshot | null;
  status: StatusSnapshot | null;
};

const Millis = Type.Number();

const Holding = Type.Object({
  productId: Type.String(),
  purchasedAt: Millis,
  /** Null: lasts until revoked. */
  expiresAt: Nullable(Millis),
  revoked: Type.Boolean(),
  ownership: OneOf(['purchased', 'family_shared']),
  /** Of a month under a commitment: until when it is charged. */
  committedUntil: Type.Optional(Millis),
});
export type Holding = Static<typeof Holding>;

/**
 * Time-independent summary of a transaction chain: written when facts change, read by every query.
 * Times are milliseconds since the epoch.
 */
export const ChainDigest = Type.Object({
  originalTransactionId: Type.String(),
  /** The latest period or purchase; null when nothing in the chain entitles. */
  current: Nullable(Holding),
  /** The newest period where it was refunded and `current` is an earlier valid one. */
  refundedAfter: Nullable(Holding),
  /** Earlier products of the chain, for queries about one product. */
  past: Type.Array(Holding),
  renews: Type.Boolean(),
  /** Charged again although it does not renew: a commitment runs. */
  isCommitted: Type.Optional(Type.Literal(true)),
  /** Billing issue of the current period. */
  trouble: Nullable(
    Type.Object({ graceExpiresAt: Nullable(Millis), retrying: Type.Boolean(), asOf: Millis }),
  ),
  /** Apple's status unless a later signature contradicts it. */
  status: Nullable(Type.Integer({ minimum: 1, maximum: 5 })),
  /** End of a period not received yet: the newest one was refunded, but the chain is active. */
  continuesUntil: Nullable(Millis),
});
export type ChainDigest = Static<typeof ChainDigest>;

function byPurchase(a: TransactionSnapshot, b: TransactionSnapshot): number {
  return (
    a.purchasedAt - b.purchasedAt ||
    (a.expiresAt ?? 0) - (b.expiresAt ?? 0) ||
    a.transactionId.length - b.transactionId.length ||
    (a.transactionId < b.transactionId ? -1 : 1)
  );
}

function isSubscription(transaction: TransactionSnapshot): boolean {
  if (transaction.type === 'subscription') return true;
  const { type, expiresAt } = transaction;
  return (type === 'unknown' || type === 'non_renewing') && expiresAt !== null;
}

function isLasting({ type, expiresAt }: TransactionSnapshot): boolean {
  return type === 'non_consumable' || (type === 'non_renewing' && expiresAt === null);
}

/**
 * Upgraded. The snapshot that says so can be lost, so another product bought before this period
 * ends counts as well.
 */
function isSuperseded(period: TransactionSnapshot, all: readonly TransactionSnapshot[]): boolean {
  if (period.upgraded) return true;
  return all.some(
    (later) =>
      later.productId !== period.productId &&
      later.purchasedAt > period.purchasedAt &&
      later.purchasedAt < (period.expiresAt ?? 0),
  );
}

function holding(transaction: TransactionSnapshot): Holding {
  const { productId, purchasedAt, expiresAt, revokedAt, ownership, committedUntil } = transaction;
  const held = { productId, purchasedAt, expiresAt, revoked: revokedAt !== null, ownership };
  return committedUntil === undefined ? held : { ...held, committedUntil };
}

function pastHoldings(
  sorted: readonly TransactionSnapshot[],
  current: TransactionSnapshot,
): Holding[] {
  const newest = new Map<string, TransactionSnapshot>();
  for (const period of sorted) {
    if (period.productId === current.productId) continue;
    const before = newest.get(period.productId);
    // A refunded period does not hide an earlier valid one of the same product.
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

/**
 * Apple's status, valid while no snapshot is signed later. "Revoked" counts for the newest
 * transaction only: the refund of an earlier renewal does not end a later one.
 */
function statusInForce(
  facts: ChainFacts,
  newest: TransactionSnapshot | undefined,
): StoreStatus | null {
  if (!facts.status || facts.status.asOf < newestSignature(facts)) return null;
  const { status, transactionId } = facts.status;
  const subject = facts.transactions.find((period) => period.transactionId === transactionId);
  if (status === 5 && subject && subject !== newest) return null;
  if (status === 1 && newest?.revokedAt && continuation(facts, newest) === null) return null;
  return status;
}

/** The renewal date is the end of the newest period, even of one never received. */
function continuation(facts: ChainFacts, newest: TransactionSnapshot): number | null {
  const renewsAt = facts.renewal?.renewsAt ?? null;
  return renewsAt !== null && renewsAt > (newest.expiresAt ?? 0) ? renewsAt : null;
}

function billingIssueOf(facts: ChainFacts, current: TransactionSnapshot): ChainDigest['trouble'] {
  const renewal = facts.renewal;
  // Renewal information signed before this period was bought is about an earlier one.
  if (!renewal || renewal.signedAt < current.purchasedAt) return null;
  return {
    graceExpiresAt: renewal.graceExpiresAt,
    retrying: renewal.inBillingRetry,
    asOf: renewal.signedAt,
  };
}

function digestOf(facts: ChainFacts, periods: readonly TransactionSnapshot[]): ChainDigest {
  const newest = periods.at(-1);
  const current = periods.findLast((period) => period.revokedAt === null) ?? newest;
  const status = statusInForce(facts, newest);
  const refunded = newest !== undefined && newest.revokedAt !== null;
  return {
    originalTransactionId: facts.originalTransactionId,
    current: current ? holding(current) : null,
    refundedAfter: newest !== undefined && newest !== current ? holding(newest) : null,
    past: current ? pastHoldings(periods, current) : [],
    renews: facts.renewal?.willRenew ?? false,
    ...(facts.renewal?.isCommitted ? { isCommitted: true as const } : {}),
    trouble: current ? billingIssueOf(facts, current) : null,
    status,
    continuesUntil: status === 1 && refunded ? continuation(facts, newest) : null,
  };
}

/** Folds the facts of a chain into its summary; their order does not matter. */
export function digestChain(facts: ChainFacts): ChainDigest {
  const sorted = [...facts.transactions].sort(byPurchase);
  const subscription = sorted.filter(isSubscription);
  if (subscription.length > 0) {
    return digestOf(
      facts,
      subscription.filter((period) => !isSuperseded(period, subscription)),
    );
  }
  const lasting = sorted.filter(isLasting);
  return digestOf({ ...facts, renewal: null, status: null }, lasting);
}
