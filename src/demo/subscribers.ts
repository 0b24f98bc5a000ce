import type { Facts } from '../modules/purchases/index.ts';
import {
  toRenewal,
  toRenewalDetails,
  toTransaction,
  toTransactionDetails,
} from '../providers/store-server/map.ts';
import type { RenewalPayload, TransactionPayload } from '../providers/store-server/wire.ts';
import type { ChainStatus } from '../shared/purchase.ts';
import { type Random, seeded } from '../shared/random.ts';
import { DAY_MS, HOUR_MS } from '../shared/time.ts';
import { PRODUCTS, SIMULATED_APPS } from './market.ts';
import type { DemoPerson, DemoPurchase } from './month.ts';

export type Buyer = { userId: string | null; anonymousId: string | null; purchase: DemoPurchase };
export type DemoChain = Omit<Buyer, 'purchase'> & { chainId: string; facts: Facts[] };

const TRIAL_MS = 7 * DAY_MS;
const GRACE_MS = 16 * DAY_MS;
const PERIOD_MS = { yearly: 365 * DAY_MS, monthly: 30 * DAY_MS } as const;
const UNSIGNED = 'simulated by bun run demo';
const ENVIRONMENT = 'Production';

type Update = {
  atMs: number;
  status: ChainStatus;
  willRenew: boolean;
  graceExpiresMs?: number;
  revokedMs?: number;
};

type Period = { startMs: number; isTrial: boolean; count: number };

class Chain {
  readonly facts: Facts[] = [];

  constructor(
    private readonly buyer: Buyer,
    private readonly id: string,
    private readonly bundleId: string,
  ) {}

  endOf({ startMs, isTrial }: Period): number {
    return startMs + (isTrial ? TRIAL_MS : PERIOD_MS[this.buyer.purchase.plan]);
  }

  record(period: Period, update: Update): void {
    const transaction = this.transaction(period, update);
    const renewal = this.renewal(period, update);
    const at = new Date(update.atMs);
    this.facts.push({
      transaction: {
        snapshot: toTransaction(transaction),
        details: toTransactionDetails(transaction, UNSIGNED),
      },
      renewal: { snapshot: toRenewal(renewal), details: toRenewalDetails(renewal, UNSIGNED) },
      status: {
        status: update.status,
        asOf: update.atMs,
        transactionId: transaction.transactionId,
      },
      checkedAt: at,
      receivedAt: at,
    });
  }

  private transaction(period: Period, { atMs, revokedMs }: Update): TransactionPayload {
    const { purchase } = this.buyer;
    return {
      originalTransactionId: this.id,
      // A chain has the id of its first transaction.
      transactionId:
        period.count === 0 ? this.id : `${this.id}${String(period.count).padStart(2, '0')}`,
      bundleId: this.bundleId,
      productId: `${this.bundleId}.pro_${purchase.plan}`,
      type: 'Auto-Renewable Subscription',
      purchaseDate: period.startMs,
      originalPurchaseDate: purchase.atMs,
      expiresDate: this.endOf(period),
      signedDate: atMs,
      environment: ENVIRONMENT,
      inAppOwnershipType: 'PURCHASED',
      quantity: 1,
      price: period.isTrial ? 0 : Math.round(purchase.price * 1_000),
      currency: 'USD',
      storefront: 'USA',
      subscriptionGroupIdentifier: '21000001',
      transactionReason: period.count === 0 ? 'PURCHASE' : 'RENEWAL',
      ...(period.isTrial && {
        offerType: 1,
        offerDiscountType: 'FREE_TRIAL',
        offerPeriod: 'P1W',
      }),
      ...(revokedMs !== undefined && { revocationDate: revokedMs, revocationReason: 0 }),
    };
  }

  private renewal(period: Period, update: Update): RenewalPayload {
    const { purchase } = this.buyer;
    const productId = `${this.bundleId}.pro_${purchase.plan}`;
    const { status, graceExpiresMs } = update;
    return {
      originalTransactionId: this.id,
      productId,
      autoRenewProductId: productId,
      autoRenewStatus: update.willRenew ? 1 : 0,
      isInBillingRetryPeriod: status === 'retry' || status === 'grace',
      renewalDate: this.endOf(period),
      recentSubscriptionStartDate: purchase.atMs,
      renewalPrice: Math.round(purchase.price * 1_000),
      currency: 'USD',
      signedDate: update.atMs,
      environment: ENVIRONMENT,
      ...(graceExpiresMs !== undefined && { gracePeriodExpiresDate: graceExpiresMs }),
      ...(status === 'expired' && { expirationIntent: update.willRenew ? 2 : 1 }),
    };
  }
}

type Chances = {
  refund: number;
  cancel: number;
  cancelTrial: number;
  fail: number;
  recover: number;
};
const USUAL: Chances = { refund: 0.04, cancel: 0.08, cancelTrial: 0.35, fail: 0.1, recover: 0.5 };
const LOYAL: Chances = { refund: 0, cancel: 0, cancelTrial: 0, fail: 0, recover: 1 };

/** Start of the next paid period; null without one until now. */
function nextStart(
  random: Random,
  chain: Chain,
  period: Period,
  { nowMs, chances }: { nowMs: number; chances: Chances },
): number | null {
  const { startMs, isTrial } = period;
  const endMs = chain.endOf(period);
  const record = (update: Update) => {
    if (update.atMs <= nowMs) chain.record(period, update);
  };
  if (!isTrial && random.chance(chances.refund)) {
    const revokedMs = startMs + 2 * DAY_MS;
    record({ atMs: revokedMs, status: 'revoked', willRenew: false, revokedMs });
    return null;
  }
  if (random.chance(isTrial ? chances.cancelTrial : chances.cancel)) {
    record({ atMs: random.between(startMs, endMs), status: 'active', willRenew: false });
    record({ atMs: endMs, status: 'expired', willRenew: false });
    return null;
  }
  if (endMs > nowMs) return null;
  if (!random.chance(chances.fail)) return endMs;
  const graceExpiresMs = endMs + GRACE_MS;
  record({ atMs: endMs + HOUR_MS, status: 'grace', willRenew: true, graceExpiresMs });
  const recoveredMs = endMs + 5 * DAY_MS;
  if (random.chance(chances.recover)) return recoveredMs <= nowMs ? recoveredMs : null;
  record({ atMs: graceExpiresMs, status: 'retry', willRenew: true });
  return null;
}

function makeChain(
  random: Random,
  buyer: Buyer,
  { id, bundleId, ...turns }: { id: string; bundleId: string; nowMs: number; chances: Chances },
): DemoChain {
  const chain = new Chain(buyer, id, bundleId);
  let startMs: number | null = buyer.purchase.atMs;
  for (let count = 0; startMs !== null; count += 1) {
    const period: Period = {
      startMs,
      count,
      isTrial: count === 0 && buyer.purchase.plan === 'yearly',
    };
    chain.record(period, { atMs: startMs, status: 'active', willRenew: true });
    startMs = nextStart(random, chain, period, turns);
  }
  const { userId, anonymousId } = buyer;
  return { userId, anonymousId, chainId: id, facts: chain.facts };
}

const EARLIEST_DAYS = 118;
const MONTH_DAYS = 31;

function earlierBuyer(random: Random, index: number, nowMs: number): Buyer {
  const daysAgo = random.between(MONTH_DAYS, EARLIEST_DAYS);
  const plan = random.chance(0.5) ? 'yearly' : 'monthly';
  return {
    userId: `user-before-${index.toString(36).padStart(3, '0')}`,
    anonymousId: null,
    purchase: {
      plan,
      price: PRODUCTS[plan].price,
      atMs: nowMs - daysAgo * DAY_MS + random.between(0, DAY_MS - 1),
    },
  };
}

/** One in each rare state, for any seed. */
const CERTAIN: readonly (readonly [daysAgo: number, Chances])[] = [
  [34, { ...LOYAL, fail: 1, recover: 0 }],
  [50, { ...LOYAL, fail: 1, recover: 0 }],
  [40, { ...LOYAL, refund: 1 }],
  [45, { ...LOYAL, cancel: 1 }],
  [70, LOYAL],
];

function certainBuyer(index: number, daysAgo: number, nowMs: number): Buyer {
  return {
    userId: `user-certain-${index}`,
    anonymousId: null,
    purchase: { plan: 'monthly', price: PRODUCTS.monthly.price, atMs: nowMs - daysAgo * DAY_MS },
  };
}

export function demoChains(
  people: readonly DemoPerson[],
  { seed, nowMs, appIndex }: { seed: number; nowMs: number; appIndex: 0 | 1 },
): DemoChain[] {
  const random = seeded(seed + 7_919);
  const buyers = people.flatMap(({ userId, anonymousId, purchase }) =>
    purchase ? [{ userId, anonymousId, purchase }] : [],
  );
  const earlier = Array.from({ length: Math.ceil(people.length / 25) }, (_, index) =>
    earlierBuyer(random, index, nowMs),
  );
  const { bundleId } = SIMULATED_APPS[appIndex];
  const certain = CERTAIN.map(([daysAgo, chances], index) => ({
    buyer: certainBuyer(index, daysAgo, nowMs),
    chances,
  }));
  const usual = [...earlier, ...buyers].map((buyer) => ({ buyer, chances: USUAL }));
  return [...certain, ...usual].map(({ buyer, chances }, index) =>
    makeChain(random, buyer, { id: String(2_900_000_000_000 + index), bundleId, nowMs, chances }),
  );
}
