import type { PlayLine, PlayOrder } from '../../../providers/play-store/port.ts';
import { toAccountToken } from '../../../shared/account-token.ts';
import type { ChainStatus, SignedRenewal, Transaction } from '../../../shared/purchase.ts';
import { storefrontOfCountry } from '../../../shared/storefront.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/time.ts';
import type { PartialTransaction } from '../ledger/signed-queries.ts';
import { isFirstOrder } from '../ledger/period.ts';
import type { StatusAsOf } from '../model/chain.ts';
import type { OrderedLine, OwnedLine, SubscriptionAnswer, Term } from './answer.ts';
import { planKey } from './ask.ts';
import { estimateEarlier, lineOf, orderIdOf, orderLine, orderOf, ordersUpTo } from './estimate.ts';
import { toRenewal } from './to-renewal.ts';

export type PlayFacts = {
  /** Transactions of the replaced token. */
  superseded: Transaction[];
  transactions: PartialTransaction[];
  renewal: SignedRenewal | null;
  status: StatusAsOf | null;
};

/** Null: nothing is owned, or what was known before stays. */
const STATUSES: Readonly<Record<string, ChainStatus | null>> = {
  pending: null,
  pending_canceled: null,
  active: 'active',
  canceled: 'active',
  grace: 'grace',
  hold: 'retry',
  paused: 'expired',
  expired: 'expired',
};

const NOTHING: PlayFacts = { superseded: [], transactions: [], renewal: null, status: null };

const isOwned = (line: PlayLine): line is OrderedLine =>
  line.orderId !== null && line.expiresAt !== null;

type Priced = { productId: string; priceMilliunits: number | null };

/** The dearest; the others are add-ons. */
function planOf(lines: readonly Priced[]): string | undefined {
  const byPrice = lines.toSorted(
    (a, b) =>
      (b.priceMilliunits ?? 0) - (a.priceMilliunits ?? 0) || (a.productId < b.productId ? -1 : 1),
  );
  return byPrice[0]?.productId;
}

function ownedLines({ subscription, orders, known }: SubscriptionAnswer): OwnedLine[] {
  const owned = subscription.lines.filter(isOwned);
  const plan = planOf(owned);
  return owned.map((line) => {
    const ofOrder = owned.filter(({ orderId }) => orderId === line.orderId);
    const several = orderLine(line, true);
    const isOfSeveral =
      ofOrder.length > 1 ||
      (orderOf(orders, line.orderId)?.lines.length ?? 0) > 1 ||
      known.some(({ transactionId }) => transactionId === several);
    const transactionId = orderLine(line, isOfSeveral);
    return { ...line, transactionId, isAddOn: line.productId !== plan };
  });
}

const knownAs = (transactionId: string, known: readonly Transaction[]) =>
  known.find((one) => one.transactionId === transactionId && !one.isEstimated);

const isCutShort = (
  { expiresAt, revokedAt }: Transaction,
  { subscription, answeredAt }: SubscriptionAnswer,
): boolean => {
  const isRunning = revokedAt === null && expiresAt !== null && answeredAt < expiresAt;
  return isRunning && subscription.replacesToken !== null;
};

/** For an unreadable order: the end of the period before. */
function startOf(line: OwnedLine, answer: SubscriptionAnswer): number {
  const { subscription, known, orders, answeredAt } = answer;
  const told = lineOf(orderOf(orders, line.orderId), line.productId)?.startsAt ?? null;
  if (told !== null) return Math.min(told, line.expiresAt);
  const same = knownAs(line.transactionId, known);
  if (same) return same.startsAt ?? same.purchasedAt;
  const started = subscription.startedAt ?? answeredAt;
  const before = known.filter((one) => !isCutShort(one, answer));
  const ends = before.flatMap(({ expiresAt }) => expiresAt ?? []);
  const start = Math.max(started, ...ends.filter((end) => end < line.expiresAt));
  return Math.min(start, line.expiresAt);
}

/** Google moves the end of an order also while it waits for the money. */
function endOf(line: OwnedLine, answer: SubscriptionAnswer): number {
  const { subscription, known, orders, answeredAt } = answer;
  const { state } = subscription;
  const isRunning = (state === 'active' || state === 'canceled') && answeredAt < line.expiresAt;
  if (isRunning) return line.expiresAt;
  const ordered = lineOf(orderOf(orders, line.orderId), line.productId)?.endsAt;
  const end = knownAs(line.transactionId, known)?.expiresAt ?? ordered ?? line.expiresAt;
  return Math.min(end, line.expiresAt);
}

export function refundOf(
  order: PlayOrder | null,
  same: Transaction | undefined,
): Pick<Transaction, 'refundedAt'> {
  const refundedAt = order ? order.refund?.at : same?.refundedAt;
  return refundedAt === undefined ? {} : { refundedAt };
}

const APART_MS = HOUR_MS;

function timesOf({ startsAt, orderId, transactionId }: Term, answer: SubscriptionAnswer) {
  const order = orderOf(answer.orders, orderId);
  const paidAt = order ? order.paidAt : knownAs(transactionId, answer.known)?.purchasedAt;
  const purchasedAt = paidAt ?? startsAt;
  const isApart = Math.abs(startsAt - purchasedAt) >= APART_MS;
  return { purchasedAt, ...(isApart ? { startsAt } : {}) };
}

function orderedPeriod({ productId }: Term, order: PlayOrder | null): string | undefined {
  const line = lineOf(order, productId);
  if (!line || line.isProrated || line.startsAt === null || line.endsAt === null) return undefined;
  const days = Math.round((line.endsAt - line.startsAt) / DAY_MS);
  return days > 0 ? `P${days}D` : undefined;
}

export function toTransaction(term: Term, answer: SubscriptionAnswer): PartialTransaction {
  const { subscription, chainId, packageName, known, answeredAt } = answer;
  const { environment, country, startedAt } = subscription;
  const { transactionId, productId, isTrial, isAddOn, isEstimated, regularMilliunits } = term;
  const same = knownAs(transactionId, known);
  const order = orderOf(answer.orders, term.orderId);
  const planPeriod =
    answer.planPeriods.get(planKey(term)) ?? same?.planPeriod ?? orderedPeriod(term, order);
  return {
    snapshot: {
      ...{ environment, bundleId: packageName, transactionId, chainId, productId },
      type: 'subscription',
      ...timesOf(term, answer),
      expiresAt: term.expiresAt,
      // A void stays, also one of an estimate.
      revokedAt: known.find((one) => one.transactionId === transactionId)?.revokedAt ?? null,
      ...refundOf(order, same),
      ...(regularMilliunits === null ? {} : { regularMilliunits }),
      ...(planPeriod === undefined ? {} : { planPeriod }),
      ...(isAddOn ? { isAddOn } : {}),
      ...(isEstimated ? { isEstimated } : {}),
      upgraded: false,
      ownership: 'purchased',
      appAccountToken: toAccountToken(subscription.accountId),
      freeTrial: isTrial,
      signedAt: answeredAt,
    },
    // The list price of today is not that of an earlier order.
    details:
      same && !order
        ? null
        : {
            ...{ offer: null, offerId: term.offerId, offerPeriod: null },
            discount: isTrial ? 'free_trial' : null,
            text: '',
            ...{ priceMilliunits: term.priceMilliunits, currency: term.currency },
            storefront: storefrontOfCountry(country),
            quantity: 1,
            subscriptionGroup: null,
            originalPurchasedAt: startedAt,
            transactionReason: isFirstOrder({ transactionId, chainId }) ? 'PURCHASE' : 'RENEWAL',
            ...{ refundReason: null, revocationType: null },
            revocationPercentageMilliunits: order?.refund?.share ?? null,
            ...{ billingPlan: null, commitmentExpiresAt: null, isAssigned: false },
          },
  };
}

/** Unknown for a prorated line until its order is read. */
function priceOf(line: OwnedLine, { orders, known }: SubscriptionAnswer) {
  const paid = lineOf(orderOf(orders, line.orderId), line.productId);
  const listed = line.isTrial ? 0 : line.isProrated ? null : line.priceMilliunits;
  const regular =
    knownAs(line.transactionId, known)?.regularMilliunits ??
    paid?.listedMilliunits ??
    line.priceMilliunits;
  return {
    priceMilliunits: paid ? paid.priceMilliunits : listed,
    currency: paid?.currency ?? line.currency,
    regularMilliunits: line.isProrated ? regular : null,
  };
}

const toTerm = (line: OwnedLine, answer: SubscriptionAnswer): Term => ({
  ...line,
  ...priceOf(line, answer),
  startsAt: startOf(line, answer),
  expiresAt: endOf(line, answer),
  isEstimated: false,
});

function earlierTerms(lines: readonly OwnedLine[], { orders }: SubscriptionAnswer): Term[] {
  const current = new Set(lines.map(({ orderId }) => orderId));
  const earlier = orders.filter(({ orderId }) => !current.has(orderId));
  return earlier.flatMap(({ orderId, lines: ordered }) => {
    const plan = planOf(ordered.map((one) => ({ ...one, priceMilliunits: one.listedMilliunits })));
    return ordered.flatMap(({ startsAt, endsAt, listedMilliunits, isProrated, ...line }) => {
      if (startsAt === null || endsAt === null) return [];
      return {
        ...line,
        ...{ orderId, startsAt, expiresAt: endsAt, isEstimated: false },
        transactionId: orderLine({ orderId, productId: line.productId }, ordered.length > 1),
        regularMilliunits: isProrated ? listedMilliunits : null,
        isAddOn: line.productId !== plan,
      };
    });
  });
}

/** The newest token names all that its customer has. */
function findSuperseded(lines: readonly OwnedLine[], answer: SubscriptionAnswer): Transaction[] {
  const { known, answeredAt: signedAt } = answer;
  const named = new Set(lines.map(({ transactionId }) => transactionId));
  const renewed = new Set(lines.flatMap(({ orderId }) => ordersUpTo(orderId).slice(0, -1)));
  return known
    .filter((one) => !named.has(one.transactionId) && !one.upgraded)
    .filter((one) => !renewed.has(orderIdOf(one.transactionId)))
    .filter((one) => isCutShort(one, answer))
    .map((one) => ({ ...one, upgraded: true, signedAt }));
}

/** A state that Google added changes nothing. */
export function toPlayFacts(answer: SubscriptionAnswer): PlayFacts {
  const { subscription, answeredAt } = answer;
  const status = STATUSES[subscription.state];
  const lines = ownedLines(answer);
  const newest = lines.toSorted((a, b) => b.expiresAt - a.expiresAt)[0];
  if (status == null || !newest) return NOTHING;
  const terms = [...earlierTerms(lines, answer), ...lines.map((line) => toTerm(line, answer))];
  const plans = lines.filter((line) => !line.isAddOn);
  const estimated = plans.flatMap((line) => estimateEarlier(toTerm(line, answer), terms, answer));
  return {
    superseded: findSuperseded(lines, answer),
    transactions: [...estimated, ...terms].map((term) => toTransaction(term, answer)),
    renewal: toRenewal(lines, answer),
    status: { status, asOf: answeredAt, transactionId: newest.transactionId },
  };
}

/** New orders and refunds of a replaced token. */
export function toPastFacts(answer: SubscriptionAnswer): PartialTransaction[] {
  return toPlayFacts(answer).transactions.flatMap(({ snapshot, details }): PartialTransaction[] => {
    const stored = knownAs(snapshot.transactionId, answer.known);
    if (!stored) return [{ snapshot: { ...snapshot, upgraded: true }, details }];
    if (!details || snapshot.refundedAt === stored.refundedAt) return [];
    const { refundedAt: _, ...before } = stored;
    const { signedAt } = snapshot;
    return [{ snapshot: { ...before, ...refundOf(null, snapshot), signedAt }, details }];
  });
}
