import fc from 'fast-check';
import type {
  ChainHistory,
  ChainTransaction,
  RenewalNote,
} from '../../src/modules/purchases/overview/history.ts';

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
export const FIRST = Date.UTC(2026, 0, 1);

/** [days of the product, months⁻¹] */
export const PRODUCTS: Record<string, [number, number]> = {
  day: [1, 30],
  week: [7, 4],
  month: [30, 1],
  season: [91, 1 / 3],
  year: [365, 1 / 12],
};

const STEPS = [
  ...['renew', 'renew', 'renew', 'switch', 'graceRecover', 'graceEnd', 'retryRecover', 'lapse'],
  ...['refund', 'refundLate', 'cancel', 'upFront', 'free', 'rise', 'otherMoney', 'chargedLate'],
] as const;

export type Plan = {
  start: number;
  trial: boolean;
  product: string;
  price: number;
  currency: string;
  shared: boolean;
  steps: { step: (typeof STEPS)[number]; size: number }[];
};

export const plan: fc.Arbitrary<Plan> = fc.record({
  start: fc.integer({ min: 0, max: 200 * 24 }),
  trial: fc.boolean(),
  product: fc.constantFrom(...Object.keys(PRODUCTS)),
  price: fc.integer({ min: 1, max: 60_000 }),
  currency: fc.constantFrom('USD', 'USD', 'EUR', 'XAU'),
  shared: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  steps: fc.array(
    fc.record({ step: fc.constantFrom(...STEPS), size: fc.integer({ min: 1, max: 9 }) }),
    { maxLength: 12 },
  ),
});

let number = 0;

/** What the store would have signed, of a plan. */
export function lived({ start, trial, shared, ...given }: Plan): ChainHistory {
  let { product, price, currency } = given;
  let at = FIRST + start * HOUR;
  const transactions: ChainTransaction[] = [];
  const renewals: RenewalNote[] = [];
  const note = (signedAt: number, extra: Partial<RenewalNote>) =>
    renewals.push({
      signedAt,
      willRenew: true,
      retrying: false,
      expiryReason: null,
      graceExpiresAt: null,
      ...extra,
    });
  const last = () => transactions.at(-1)!;
  const end = () => last().expiresAt!;
  const buy = (extra: Partial<ChainTransaction> = {}, lasts = PRODUCTS[product]![0] * DAY) => {
    number += 1;
    transactions.push({
      transactionId: String(number),
      productId: product,
      country: number % 3 === 0 ? 'DEU' : 'USA',
      purchasedAt: at,
      expiresAt: at + lasts,
      firstExpiresAt: null,
      revokedAt: null,
      upgraded: false,
      autoRenewable: true,
      familyShared: shared,
      freeTrial: false,
      discount: null,
      offer: null,
      offerPeriod: null,
      billedMonthly: false,
      priceMilliunits: price,
      currency,
      refundedMilliunits: null,
      ...extra,
    });
    note(at, {});
  };
  buy(trial ? { freeTrial: true, priceMilliunits: 0 } : {}, trial ? 7 * DAY : undefined);
  for (const { step, size } of given.steps) {
    if (step === 'renew') {
      at = end();
      buy();
    } else if (step === 'switch') {
      at =
        last().purchasedAt + Math.floor(((end() - last().purchasedAt) * size) / 10 / 1000) * 1000;
      last().upgraded = true;
      product = product === 'month' ? 'year' : 'month';
      buy();
    } else if (step === 'graceRecover' || step === 'graceEnd') {
      const grace = end() + 16 * DAY;
      note(end() + HOUR, { retrying: true, graceExpiresAt: grace });
      at = step === 'graceRecover' ? end() + size * DAY : grace + size * DAY;
      buy();
    } else if (step === 'chargedLate') {
      at = end() + size * 2 * HOUR;
      buy();
    } else if (step === 'retryRecover') {
      note(end() + HOUR, { retrying: true });
      at = end() + size * DAY;
      buy();
    } else if (step === 'lapse' || step === 'cancel') {
      const expiryReason = step === 'cancel' ? 'canceled' : 'billing';
      note(end(), { willRenew: false, expiryReason });
      at = end() + size * 9 * DAY;
      buy();
    } else if (step === 'refund') {
      const share = Math.floor(((end() - last().purchasedAt) * size) / 10 / 1000) * 1000;
      last().revokedAt = last().purchasedAt + share;
      note(last().revokedAt!, { willRenew: false });
      at = end() + size * DAY;
      buy();
    } else if (step === 'refundLate') {
      const refunded = last();
      at = end();
      buy();
      refunded.revokedAt = at + HOUR;
    } else if (step === 'upFront') {
      at = end();
      const offer = {
        ...{ discount: 'pay_up_front' as const, offerPeriod: 'P6M' },
        offer: 'promotional:half',
      };
      buy(offer, 182 * DAY);
    } else if (step === 'free') {
      at = end();
      buy({ priceMilliunits: 0 });
    } else if (step === 'rise') {
      price += size * 100;
    } else {
      currency = currency === 'USD' ? 'EUR' : 'USD';
    }
  }
  return { transactions, renewals };
}
