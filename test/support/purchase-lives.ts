import fc from 'fast-check';
import {
  ACTIONS,
  SimulatedSubscription,
  type Told,
} from '../simulators/store-server/subscription.ts';

const DAY = 86_400_000;

/** The products of an app, each with a length and a price of its own. */
const PRODUCTS = [
  { productId: 'pro.weekly', periodMs: 7 * DAY, price: 2_990 },
  { productId: 'pro.monthly', periodMonths: 1, price: 9_990 },
  { productId: 'pro.quarterly', periodMonths: 3, price: 24_990 },
  { productId: 'pro.yearly', periodMonths: 12, price: 59_990 },
] as const;

const STOREFRONTS = [
  { storefront: 'USA', currency: 'USD' },
  { storefront: 'DEU', currency: 'EUR' },
  { storefront: 'JPN', currency: 'JPY' },
] as const;

const step = fc.record({
  action: fc.constantFrom(...ACTIONS, ...ACTIONS, 'reprice', 'offer', 'partialRefund'),
  /** Of what is left of the present state. */
  wait: fc.double({ min: 0, max: 0.9, noNaN: true }),
  size: fc.integer({ min: 1, max: 9 }),
});

export const life = fc.record({
  startDay: fc.integer({ min: 0, max: 120 }),
  product: fc.constantFrom(...PRODUCTS),
  place: fc.constantFrom(...STOREFRONTS),
  trial: fc.boolean(),
  family: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  /** Changes of mind, one after the other, before anything else happens. */
  toggles: fc.integer({ min: 0, max: 4 }),
  steps: fc.array(step, { maxLength: 14 }),
});
export type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

/** What the store tells of a life, in the order in which it signed. */
export function live(
  { startDay, product, place, trial, family, toggles, steps }: Life,
  bundleId: string,
  firstMs: number,
): SimulatedSubscription {
  const { price, ...length } = product;
  const subscription = new SimulatedSubscription({
    ...{ bundleId, environment: 'Production', trial, family, ...length },
    start: firstMs + startDay * DAY,
    terms: { price, ...place },
  });
  for (let time = 0; time < toggles; time += 1) subscription.act(time % 2 ? 'resume' : 'cancel');
  for (const { action, wait, size } of steps) {
    subscription.wait(wait);
    if (action === 'reprice') subscription.reprice(price + size * 1_000);
    else if (action === 'offer') {
      const offer = { offerType: 2, offerDiscountType: 'PAY_AS_YOU_GO', price: price / 2 };
      const before = subscription.terms;
      subscription.terms = { ...before, ...offer };
      subscription.act('renew');
      subscription.terms = before;
    } else if (action === 'partialRefund') {
      subscription.newest.revocationPercentage = size * 10_000;
      subscription.act('refund');
    } else subscription.act(action);
  }
  return subscription;
}

/** An order in which they may come, shuffled by `numbers`, some of them twice. */
export function orderOf(told: readonly Told[], numbers: Iterator<number>): Told[] {
  const next = (): number => numbers.next().value ?? 0;
  return told
    .flatMap((one) => (next() % 4 === 0 ? [one, one] : [one]))
    .map((one) => ({ one, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
