import type { PlayLine, PlayOrder, PlaySubscription } from '../../../providers/play-store/port.ts';
import type { ChainStatus, Renewal, SignedRenewal, Transaction } from '../../../shared/purchase.ts';
import { storefrontOfCountry } from '../../../shared/storefront.ts';
import type { PartialTransaction } from '../ledger/signed-queries.ts';
import type { StatusAsOf } from '../model/chain.ts';
import { accountTokenOf } from './account-token.ts';
import { orderLine, periodStart, pricePaid } from './order-line.ts';

export type SubscriptionAnswer = {
  chainId: string;
  packageName: string;
  subscription: PlaySubscription;
  /** What was paid, of orders whose price was not read before. */
  orders: readonly PlayOrder[];
  /** Orders of the chain that are stored already. */
  known: readonly Transaction[];
  /** When Google answered: its answers have no time of their own. */
  answeredAt: number;
};

export type PlayFacts = {
  /** Of the token that this one replaces. */
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

type OrderedLine = PlayLine & { orderId: string; expiresAt: number };
type OwnedLine = OrderedLine & { transactionId: string };

const isOwned = (line: PlayLine): line is OrderedLine =>
  line.orderId !== null && line.expiresAt !== null;

function ownedLines({ lines }: PlaySubscription): OwnedLine[] {
  const owned = lines.filter(isOwned);
  return owned.map((line) => ({ ...line, transactionId: orderLine(line, owned) }));
}

const knownAs = (line: OwnedLine, known: readonly Transaction[]) =>
  known.find(({ transactionId }) => transactionId === line.transactionId);

/** Replaced before its end. */
const isCutShort = (
  { expiresAt, revokedAt }: Transaction,
  { subscription, answeredAt }: SubscriptionAnswer,
): boolean => {
  const isRunning = revokedAt === null && expiresAt !== null && answeredAt < expiresAt;
  return isRunning && subscription.replacesToken !== null;
};

/** Of an order that cannot be read: where the period before ended. */
function startOf(line: OwnedLine, answer: SubscriptionAnswer): number {
  const { subscription, known, orders, answeredAt } = answer;
  const told = periodStart(orders, line);
  if (told !== null) return Math.min(told, line.expiresAt);
  const same = knownAs(line, known);
  if (same) return same.purchasedAt;
  const started = subscription.startedAt ?? answeredAt;
  const before = known.filter((one) => !isCutShort(one, answer));
  const ends = before.flatMap(({ expiresAt }) => expiresAt ?? []);
  const start = Math.max(started, ...ends.filter((end) => end < line.expiresAt));
  return Math.min(start, line.expiresAt);
}

/** Google moves the end of an order also while it waits for the money. */
function endOf(line: OwnedLine, { subscription, known, answeredAt }: SubscriptionAnswer): number {
  const { state } = subscription;
  const isRunning = (state === 'active' || state === 'canceled') && answeredAt < line.expiresAt;
  if (isRunning) return line.expiresAt;
  return Math.min(knownAs(line, known)?.expiresAt ?? line.expiresAt, line.expiresAt);
}

function toTransaction(line: OwnedLine, answer: SubscriptionAnswer): PartialTransaction {
  const { subscription, chainId, packageName, known, answeredAt } = answer;
  const { environment, country, startedAt } = subscription;
  const same = knownAs(line, known);
  const paid = pricePaid(answer.orders, line);
  const listed = {
    priceMilliunits: line.isTrial ? 0 : line.priceMilliunits,
    currency: line.currency,
  };
  return {
    snapshot: {
      environment,
      bundleId: packageName,
      transactionId: line.transactionId,
      chainId,
      productId: line.productId,
      type: 'subscription',
      purchasedAt: startOf(line, answer),
      expiresAt: endOf(line, answer),
      // What a void says stays.
      revokedAt: same?.revokedAt ?? null,
      upgraded: false,
      ownership: 'purchased',
      appAccountToken: accountTokenOf(subscription),
      freeTrial: line.isTrial,
      signedAt: answeredAt,
    },
    // The list price of today is not that of an earlier order.
    details:
      same && !paid
        ? null
        : {
            ...{ offer: null, offerId: line.offerId, offerPeriod: null },
            discount: line.isTrial ? 'free_trial' : null,
            text: '',
            ...(paid ?? listed),
            storefront: storefrontOfCountry(country),
            quantity: 1,
            subscriptionGroup: null,
            originalPurchasedAt: startedAt,
            ...{ transactionReason: null, refundReason: null, revocationType: null },
            revocationPercentageMilliunits: null,
            ...{ billingPlan: null, commitmentExpiresAt: null, isAssigned: false },
          },
  };
}

function toRenewal(lines: readonly OwnedLine[], answer: SubscriptionAnswer): SignedRenewal {
  const { subscription, chainId, answeredAt } = answer;
  const { state, environment, startedAt } = subscription;
  const renewing = lines.find(({ willRenew }) => willRenew);
  const end = Math.max(...lines.map(({ expiresAt }) => expiresAt));
  const snapshot: Renewal = {
    environment,
    chainId,
    willRenew: renewing !== undefined && state !== 'expired',
    inBillingRetry: state === 'hold',
    graceExpiresAt: state === 'grace' ? end : null,
    renewsAt: renewing && state === 'active' ? renewing.expiresAt : null,
    signedAt: answeredAt,
  };
  const { signedAt: _, ...content } = snapshot;
  const contentHash = new Bun.CryptoHasher('sha256').update(JSON.stringify(content)).digest('hex');
  return {
    snapshot,
    details: {
      ...{ offer: null, offerId: null, discount: null, offerPeriod: null, text: '' },
      contentHash,
      productId: lines[0]?.productId ?? null,
      autoRenewProductId: renewing?.productId ?? null,
      expiryReason: null,
      subscriptionStartedAt: startedAt,
      renewalPriceMilliunits: renewing?.priceMilliunits ?? null,
      currency: renewing?.currency ?? null,
      priceIncrease: null,
    },
  };
}

/** The newest token names all that its customer has. */
function findSuperseded(lines: readonly OwnedLine[], answer: SubscriptionAnswer): Transaction[] {
  const { known, answeredAt: signedAt } = answer;
  const named = new Set(lines.map(({ transactionId }) => transactionId));
  return known
    .filter((one) => !named.has(one.transactionId) && !one.upgraded)
    .filter((one) => isCutShort(one, answer))
    .map((one) => ({ ...one, upgraded: true, signedAt }));
}

/** A state that Google added changes nothing. */
export function toPlayFacts(answer: SubscriptionAnswer): PlayFacts {
  const { subscription, answeredAt } = answer;
  const status = STATUSES[subscription.state];
  const lines = ownedLines(subscription);
  const newest = lines.toSorted((a, b) => b.expiresAt - a.expiresAt)[0];
  if (status == null || !newest) return NOTHING;
  return {
    superseded: findSuperseded(lines, answer),
    transactions: lines.map((line) => toTransaction(line, answer)),
    renewal: toRenewal(lines, answer),
    status: { status, asOf: answeredAt, transactionId: newest.transactionId },
  };
}

/** Of a token that another one replaces: orders that are not stored yet. */
export function toPastFacts(answer: SubscriptionAnswer): PartialTransaction[] {
  const stored = new Set(answer.known.map(({ transactionId }) => transactionId));
  return toPlayFacts(answer)
    .transactions.filter(({ snapshot }) => !stored.has(snapshot.transactionId))
    .map(({ snapshot, details }) => ({ snapshot: { ...snapshot, upgraded: true }, details }));
}
