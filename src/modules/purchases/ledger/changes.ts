import type { Renewal, Transaction } from '../../../shared/purchase.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/time.ts';
import type { PurchaseEventType } from '../../webhooks/index.ts';
import type { StatusAsOf } from '../model/chain.ts';
import { isFirstOrder, periodKind } from './period.ts';

export type ChainBefore = {
  /** Null when new. */
  transaction: Transaction | null;
  renewal: Renewal | null;
  status: StatusAsOf | null;
};

export type ChainAfter = {
  transaction: Transaction | null;
  transactions: readonly Transaction[];
  renewal: Renewal | null;
  status: StatusAsOf | null;
};

export type PurchaseChange = {
  type: PurchaseEventType;
  transaction: Transaction;
  /** The store's time, in milliseconds. */
  occurredAt: number;
  reason: string | null;
  previousProductId: string | null;
};

/** The store retries a notification for three days; older facts are history. */
const NEWS_MS = 4 * DAY_MS;
/** A longer gap makes a return of a renewal. */
const GAP_MS = HOUR_MS;

type Change = Pick<PurchaseChange, 'type'> &
  Partial<Pick<PurchaseChange, 'reason' | 'previousProductId'>>;

const isSubscription = ({ type, expiresAt }: Transaction) =>
  type === 'subscription' || (type === 'unknown' && expiresAt !== null);

/** An add-on renews itself, beside the plan. */
const isOfSameLine = (one: Transaction, other: Transaction) =>
  other.isAddOn ? one.productId === other.productId : !one.isAddOn;

const isInTrouble = (renewal: Renewal | null) =>
  renewal !== null && (renewal.inBillingRetry || renewal.graceExpiresAt !== null);

function describeStart(period: Transaction, before: ChainBefore, after: ChainAfter): Change {
  if (!isSubscription(period)) return { type: 'purchase.completed.v1' };
  const earlier = after.transactions
    .filter((one) => isSubscription(one) && isOfSameLine(one, period))
    .filter((one) => one.purchasedAt < period.purchasedAt)
    .toSorted((a, b) => a.purchasedAt - b.purchasedAt);
  const previous = earlier.at(-1);
  if (periodKind(period) === 'trial') return { type: 'subscription.trial_started.v1' };
  if (!previous) {
    return {
      type: isFirstOrder(period) ? 'subscription.started.v1' : 'subscription.renewed.v1',
    };
  }
  if (earlier.every((one) => periodKind(one) === 'trial')) {
    return { type: 'subscription.trial_converted.v1' };
  }
  if (previous.productId !== period.productId) {
    return { type: 'subscription.product_changed.v1', previousProductId: previous.productId };
  }
  const type = 'subscription.renewed.v1';
  if (isInTrouble(before.renewal)) return { type, reason: 'billing_recovered' };
  const start = period.startsAt ?? period.purchasedAt;
  const isReturn = start - (previous.expiresAt ?? start) > GAP_MS;
  return { type, reason: isReturn ? 'resubscribed' : null };
}

function changesOfTransaction(before: ChainBefore, after: ChainAfter): PurchaseChange[] {
  const { transaction } = after;
  if (!transaction) return [];
  const known = { transaction, reason: null, previousProductId: null };
  const occurredAt = transaction.purchasedAt;
  const bought = before.transaction
    ? []
    : [{ ...known, ...describeStart(transaction, before, after), occurredAt }];
  if (transaction.upgraded) return bought;
  const wasRevoked = before.transaction?.revokedAt ?? null;
  if (transaction.revokedAt !== null) {
    if (wasRevoked !== null) return [];
    const isShared = transaction.ownership === 'family_shared';
    const type = isShared ? 'purchase.unshared.v1' : 'purchase.refunded.v1';
    return [...bought, { ...known, type, occurredAt: transaction.revokedAt }];
  }
  if (wasRevoked !== null) {
    return [{ ...known, type: 'purchase.refund_reversed.v1', occurredAt: transaction.signedAt }];
  }
  return bought;
}

function changesOfRenewal(before: ChainBefore, after: ChainAfter, current: Transaction): Change[] {
  const [was, is] = [before.renewal, after.renewal];
  if (!is || (was && is.signedAt <= was.signedAt)) return [];
  const changes: Change[] = [];
  const isOver = after.status?.status === 'expired' || after.status?.status === 'revoked';
  // An earlier period that is heard of late begins nothing.
  const isBought =
    before.transaction === null && after.transaction?.transactionId === current.transactionId;
  if (was && was.willRenew !== is.willRenew && !isOver && !isBought) {
    changes.push({
      type: is.willRenew ? 'subscription.uncanceled.v1' : 'subscription.canceled.v1',
    });
  }
  // A newly known chain.
  const isNews = was !== null || is.signedAt - (current.expiresAt ?? 0) < NEWS_MS;
  if (isInTrouble(is) && !isInTrouble(was) && isNews) {
    changes.push({
      type: 'subscription.billing_issue.v1',
      reason: is.graceExpiresAt !== null ? 'grace_period' : 'billing_retry',
    });
  }
  return changes;
}

/** Without the store's status a late renewal looks like an end. */
function isEnd(period: Transaction, before: ChainBefore, after: ChainAfter): boolean {
  if (after.status?.status !== 'expired' || before.status?.status === 'expired') return false;
  const isKnownActive = before.status !== null;
  return isKnownActive || after.status.asOf - (period.expiresAt ?? 0) < NEWS_MS;
}

/**
 * None for repeated facts or late history; each transaction once, since an event cannot be unsent.
 */
export function findChanges(
  before: ChainBefore,
  after: ChainAfter,
  receivedAt: Date,
): PurchaseChange[] {
  const changes = changesOfTransaction(before, after);
  const current = after.transactions
    .filter((one) => isSubscription(one) && !one.upgraded && !one.isAddOn)
    .toSorted((a, b) => a.purchasedAt - b.purchasedAt)
    .at(-1);
  if (current) {
    const about = { transaction: current, reason: null, previousProductId: null };
    const renewedAt = after.renewal?.signedAt ?? 0;
    for (const said of changesOfRenewal(before, after, current)) {
      changes.push({ ...about, ...said, occurredAt: renewedAt });
    }
    if (after.status && isEnd(current, before, after)) {
      const occurredAt = after.status.asOf;
      changes.push({ ...about, type: 'subscription.expired.v1', occurredAt });
    }
  }
  return changes.filter(({ occurredAt }) => receivedAt.getTime() - occurredAt < NEWS_MS);
}
