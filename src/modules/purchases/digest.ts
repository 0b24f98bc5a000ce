import { type Static, Type } from '@sinclair/typebox';
import type {
  RenewalSnapshot,
  StoreStatus,
  TransactionSnapshot,
} from '../../providers/store-server/port.ts';
import { Nullable, OneOf } from '../../shared/schema.ts';

/** The store's word on the whole chain, and the transaction that it came with. */
export type StatusWord = { status: StoreStatus; asOf: number; transactionId: string | null };

/** Everything known of one chain: all transactions that share an original transaction. */
export type ChainFacts = {
  originalTransactionId: string;
  transactions: readonly TransactionSnapshot[];
  renewal: RenewalSnapshot | null;
  status: StatusWord | null;
};

const Millis = Type.Number();

const Holding = Type.Object({
  productId: Type.String(),
  purchasedAt: Millis,
  /** Null: it lasts until it is revoked. */
  expiresAt: Nullable(Millis),
  revoked: Type.Boolean(),
  ownership: OneOf(['purchased', 'family_shared']),
});
export type Holding = Static<typeof Holding>;

/**
 * What a chain comes to, with nothing in it that depends on the time of asking: written when
 * facts change, read on every question. Times are milliseconds since the epoch.
 */
export const ChainDigest = Type.Object({
  originalTransactionId: Type.String(),
  /** What the chain stands for now; null when it can entitle to nothing. */
  current: Nullable(Holding),
  /** The newest period where it was refunded and `current` is an earlier one that still stands. */
  refundedAfter: Nullable(Holding),
  /** Products held earlier in the chain, for questions about one product. */
  past: Type.Array(Holding),
  renews: Type.Boolean(),
  /** What the store said on billing trouble of the current period. */
  trouble: Nullable(
    Type.Object({ graceExpiresAt: Nullable(Millis), retrying: Type.Boolean(), asOf: Millis }),
  ),
  /** The store's status word where nothing signed later contradicts it. */
  status: Nullable(Type.Integer({ minimum: 1, maximum: 5 })),
  /**
   * The end of a period that has not reached us: the newest one known was refunded, and still the
   * store calls the chain active.
   */
  continuesUntil: Nullable(Millis),
});
export type ChainDigest = Static<typeof ChainDigest>;

type Transaction = TransactionSnapshot;

function byPurchase(a: Transaction, b: Transaction): number {
  return (
    a.purchasedAt - b.purchasedAt ||
    (a.expiresAt ?? 0) - (b.expiresAt ?? 0) ||
    a.transactionId.length - b.transactionId.length ||
    (a.transactionId < b.transactionId ? -1 : 1)
  );
}

function isSubscription(one: Transaction): boolean {
  if (one.type === 'subscription') return true;
  return (one.type === 'unknown' || one.type === 'non_renewing') && one.expiresAt !== null;
}

function isLasting(one: Transaction): boolean {
  return one.type === 'non_consumable' || (one.type === 'non_renewing' && one.expiresAt === null);
}

/**
 * The store marks an upgraded transaction, but that snapshot can be lost: another product bought
 * before this period ends has replaced it just the same.
 */
function isSuperseded(one: Transaction, all: readonly Transaction[]): boolean {
  if (one.upgraded) return true;
  return all.some(
    (later) =>
      later.productId !== one.productId &&
      later.purchasedAt > one.purchasedAt &&
      later.purchasedAt < (one.expiresAt ?? 0),
  );
}

function holding(one: Transaction): Holding {
  return {
    productId: one.productId,
    purchasedAt: one.purchasedAt,
    expiresAt: one.expiresAt,
    revoked: one.revokedAt !== null,
    ownership: one.ownership,
  };
}

function pastHoldings(sorted: readonly Transaction[], current: Transaction): Holding[] {
  const newest = new Map<string, Transaction>();
  for (const one of sorted) {
    if (one.productId === current.productId) continue;
    const before = newest.get(one.productId);
    // A refunded period does not hide an earlier one of the same product that still stands.
    if (!before || one.revokedAt === null || before.revokedAt !== null) {
      newest.set(one.productId, one);
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
 * The status word counts while no snapshot is signed later. "Revoked" counts only for the newest
 * transaction: the refund of an earlier renewal does not end what was paid after it.
 */
function statusInForce(facts: ChainFacts, newest: Transaction | undefined): StoreStatus | null {
  const word = facts.status;
  if (!word || word.asOf < newestSignature(facts)) return null;
  const about = facts.transactions.find((one) => one.transactionId === word.transactionId);
  if (word.status === 5 && about && about !== newest) return null;
  if (word.status === 1 && newest?.revokedAt && continuation(facts, newest) === null) return null;
  return word.status;
}

/** The store's renewal date is the end of the newest period, also of one that we never saw. */
function continuation(facts: ChainFacts, newest: Transaction): number | null {
  const renewsAt = facts.renewal?.renewsAt ?? null;
  return renewsAt !== null && renewsAt > (newest.expiresAt ?? 0) ? renewsAt : null;
}

function troubleOf(facts: ChainFacts, current: Transaction): ChainDigest['trouble'] {
  const renewal = facts.renewal;
  // Renewal information from before this period was bought tells of an earlier period's trouble.
  if (!renewal || renewal.signedAt < current.purchasedAt) return null;
  return {
    graceExpiresAt: renewal.graceExpiresAt,
    retrying: renewal.inBillingRetry,
    asOf: renewal.signedAt,
  };
}

function digestOf(facts: ChainFacts, standing: readonly Transaction[]): ChainDigest {
  const newest = standing.at(-1);
  const current = standing.findLast((one) => one.revokedAt === null) ?? newest;
  const status = statusInForce(facts, newest);
  const refunded = newest !== undefined && newest.revokedAt !== null;
  return {
    originalTransactionId: facts.originalTransactionId,
    current: current ? holding(current) : null,
    refundedAfter: newest !== undefined && newest !== current ? holding(newest) : null,
    past: current ? pastHoldings(standing, current) : [],
    renews: facts.renewal?.willRenew ?? false,
    trouble: current ? troubleOf(facts, current) : null,
    status,
    continuesUntil: status === 1 && refunded ? continuation(facts, newest) : null,
  };
}

/** Folds all facts of a chain, in whatever order they came, into what they come to. */
export function digestChain(facts: ChainFacts): ChainDigest {
  const sorted = [...facts.transactions].sort(byPurchase);
  const subscription = sorted.filter(isSubscription);
  if (subscription.length > 0) {
    return digestOf(
      facts,
      subscription.filter((one) => !isSuperseded(one, subscription)),
    );
  }
  const lasting = sorted.filter(isLasting);
  return digestOf({ ...facts, renewal: null, status: null }, lasting);
}
