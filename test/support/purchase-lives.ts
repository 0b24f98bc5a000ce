import fc from 'fast-check';
import type { TransactionPayload } from '../simulators/store-server/payloads.ts';
import {
  ACTIONS,
  SimulatedSubscription,
  type Told,
} from '../simulators/store-server/subscription.ts';

const DAY = 86_400_000;

type Product = {
  productId: string;
  price: number;
  periodMs?: number;
  periodMonths?: number;
  commitmentPeriods?: number;
};

/** The products of an app; the yearly one is sold by month too, with a commitment. */
const PRODUCTS: readonly Product[] = [
  { productId: 'pro.weekly', periodMs: 7 * DAY, price: 2_990 },
  { productId: 'pro.monthly', periodMonths: 1, price: 9_990 },
  { productId: 'pro.quarterly', periodMonths: 3, price: 24_990 },
  { productId: 'pro.yearly', periodMonths: 12, price: 59_990 },
  { productId: 'pro.yearly', periodMonths: 1, price: 5_990, commitmentPeriods: 12 },
  { productId: 'pro.season', periodMonths: 1, price: 7_990, commitmentPeriods: 3 },
];

const PLACES = [
  { storefront: 'USA', currency: 'USD' },
  { storefront: 'DEU', currency: 'EUR' },
  { storefront: 'JPN', currency: 'JPY' },
  { storefront: 'GBR', currency: 'GBP' },
] as const;

const OFFERS = [
  'payAsYouGo',
  'upFront',
  'freeOffer',
  'winBack',
  'winBackTrial',
  'winBackUpFront',
] as const;
type Offer = (typeof OFFERS)[number];

const OTHER_STEPS = [...OFFERS, 'reprice', 'partialRefund', 'move'] as const;

const step = fc.record({
  action: fc.constantFrom(...ACTIONS, ...ACTIONS, 'renew', ...OTHER_STEPS),
  /** Of what is left of the present state. */
  wait: fc.double({ min: 0, max: 0.9, noNaN: true }),
  size: fc.integer({ min: 1, max: 9 }),
});

export const life = fc.record({
  startDay: fc.integer({ min: 0, max: 150 }),
  product: fc.constantFrom(...PRODUCTS),
  place: fc.constantFrom(...PLACES),
  beginning: fc.constantFrom('paid', 'paid', 'trial', 'longTrial', 'upFront'),
  family: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  /** Changes of mind, one after the other, before anything else happens. */
  toggles: fc.integer({ min: 0, max: 4 }),
  steps: fc.array(step, { maxLength: 14 }),
});
export type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

const UP_FRONT = { offerDiscountType: 'PAY_UP_FRONT', offerPeriod: 'P6M' };
const TRIAL = { offerDiscountType: 'FREE_TRIAL', price: 0 };

/** Where a period of half a year or a week that begins then ends. */
const halfAYear = (from: number) => ({ expiresDate: from + 182 * DAY });
const week = (from: number) => ({ expiresDate: from + 7 * DAY });

function beginningOf(beginning: Life['beginning'], price: number, start: number) {
  if (beginning === 'trial') return { offerType: 1, ...TRIAL, ...week(start) };
  if (beginning === 'longTrial') return { offerType: 1, ...TRIAL };
  if (beginning === 'upFront') {
    return { offerType: 1, ...UP_FRONT, price: 4 * price, ...halfAYear(start) };
  }
  return {};
}

function offerOf(offer: Offer, price: number, from: number): Partial<TransactionPayload> {
  if (offer === 'payAsYouGo') {
    return { offerType: 2, offerDiscountType: 'PAY_AS_YOU_GO', price: price / 2 };
  }
  if (offer === 'upFront')
    return { offerType: 2, ...UP_FRONT, price: 4 * price, ...halfAYear(from) };
  if (offer === 'freeOffer') return { offerType: 3, price: 0 };
  if (offer === 'winBackTrial') return { offerType: 4, ...TRIAL, ...week(from) };
  if (offer === 'winBackUpFront') {
    return { offerType: 4, ...UP_FRONT, price: 3 * price, ...halfAYear(from) };
  }
  return { offerType: 4, offerDiscountType: 'PAY_AS_YOU_GO', price: price / 2 };
}

/** A renewal or a return at the terms of an offer, which end with that period. */
function redeem(subscription: SimulatedSubscription, offer: Offer, price: number): void {
  const before = subscription.terms;
  const isReturn = offer.startsWith('winBack');
  const end = (subscription.newest.expiresDate ?? 0) + (isReturn ? DAY : 0);
  const terms = offerOf(offer, price, Math.max(subscription.now, end));
  subscription.terms = { ...before, ...terms };
  subscription.act(isReturn ? 'resubscribe' : 'renew');
  subscription.terms = before;
}

/** What the store tells of a life, in the order in which it signed. */
export function live(
  { startDay, product, place, beginning, family, toggles, steps }: Life,
  bundleId: string,
  firstMs: number,
): SimulatedSubscription {
  const { price, ...length } = product;
  const start = firstMs + startDay * DAY;
  const subscription = new SimulatedSubscription({
    ...{ bundleId, environment: 'Production', family, ...length, start },
    terms: { price, ...place, ...beginningOf(beginning, price, start) },
  });
  subscription.terms = { price, ...place };
  for (let time = 0; time < toggles; time += 1) subscription.act(time % 2 ? 'resume' : 'cancel');
  for (const { action, wait, size } of steps) {
    subscription.wait(wait);
    const offer = OFFERS.find((one) => one === action);
    if (offer) redeem(subscription, offer, price);
    else if (action === 'reprice') subscription.reprice(price + size * 1_000);
    else if (action === 'move') {
      subscription.terms = { ...subscription.terms, ...PLACES[size % PLACES.length] };
    } else if (action === 'partialRefund') {
      subscription.newest.revocationPercentage = size * 10_000;
      subscription.act('refund');
    } else {
      const ordinary = ACTIONS.find((one) => one === action);
      if (ordinary) subscription.act(ordinary);
    }
  }
  return subscription;
}

/** An order in which they may come, shuffled by `next`, some of them twice. */
export function orderOf(told: readonly Told[], next: () => number): Told[] {
  return told
    .flatMap((one) => (next() < 0.25 ? [one, one] : [one]))
    .map((one) => ({ one, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
