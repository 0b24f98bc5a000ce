import fc from 'fast-check';
import type {
  ChainHistory,
  ChainTransaction,
} from '../../src/modules/purchases/overview/history.ts';
import { DAY, FIRST, HOUR, lived, plan } from './subscription-histories.ts';

/** Half to even. */
function toCents(milliunits: number): number {
  const cents = Math.floor(milliunits / 10);
  const left = milliunits - 10 * cents;
  return left > 5 || (left === 5 && cents % 2 !== 0) ? cents + 1 : cents;
}

/** Two rates a week, so that days carry them; nobody quotes XAU. */
export const RATES = Array.from({ length: 130 }, (_, index) => ({
  day: new Date(FIRST + (index * 4 - 10) * DAY).toISOString().slice(0, 10),
  currency: 'USD',
  rate: (1.05 + (index % 13) * 0.0137).toFixed(4),
}));

const once = fc.record({
  at: fc.integer({ min: 0, max: 300 * 24 }),
  price: fc.option(fc.integer({ min: 1, max: 90_000 }), { freq: 9 }),
  currency: fc.constantFrom('USD', 'EUR', 'XAU'),
  product: fc.constantFrom('coins', 'forever'),
  refundedAfter: fc.option(fc.integer({ min: 0, max: 900 }), { freq: 2 }),
  share: fc.option(fc.integer({ min: 1, max: 100_000 })),
});

let number = 0;

function bought({ at, price, currency, product, refundedAfter, share }: any): ChainHistory {
  number += 1;
  const purchasedAt = FIRST + at * HOUR;
  const transaction: ChainTransaction = {
    transactionId: `once-${number}`,
    productId: product,
    country: number % 4 === 0 ? null : 'FRA',
    purchasedAt,
    expiresAt: null,
    firstExpiresAt: null,
    revokedAt: refundedAfter === null ? null : purchasedAt + refundedAfter * HOUR,
    upgraded: false,
    autoRenewable: false,
    familyShared: false,
    freeTrial: false,
    discount: null,
    offer: null,
    offerPeriod: null,
    billedMonthly: false,
    priceMilliunits: price,
    currency: price === null ? null : currency,
    refundedMilliunits: share,
  };
  return { transactions: [transaction], renewals: [] };
}

/** Subscriptions and what is sold once. */
export const histories: fc.Arbitrary<ChainHistory[]> = fc
  .tuple(fc.array(plan, { maxLength: 10 }), fc.array(once, { maxLength: 10 }))
  .map(([plans, sold]) => [...plans.map(lived), ...sold.map(bought)]);

/** Independent of the code: half to even by whole numbers. */
function halfEven(numerator: bigint, denominator: bigint): number {
  const whole = numerator / denominator;
  const rest = (numerator % denominator) * 2n;
  const isUp = rest > denominator || (rest === denominator && whole % 2n === 1n);
  return Number(isUp ? whole + 1n : whole);
}

/** In cents of dollars; null without a rate. */
export function worth(milliunits: number, currency: string, atMs: number): number | null {
  if (currency === 'USD') return halfEven(BigInt(milliunits), 10n);
  if (currency !== 'EUR') return null;
  for (let back = 0; back <= 7; back += 1) {
    const day = new Date(atMs - back * DAY).toISOString().slice(0, 10);
    for (const rate of RATES) {
      if (rate.day !== day) continue;
      const tenThousandths = BigInt(Math.round(Number(rate.rate) * 10_000));
      return halfEven(BigInt(milliunits) * tenThousandths, 100_000n);
    }
  }
  return null;
}

export function refundedPart(minor: number, share: number | null): number {
  return halfEven(BigInt(minor) * BigInt(share ?? 100_000), 100_000n);
}

/** What was paid, in the order of a chain. */
export function payments({ transactions }: ChainHistory) {
  const own = transactions.filter(({ familyShared }) => !familyShared);
  const ordered = [...own].sort((a, b) => a.purchasedAt - b.purchasedAt);
  const paid: { one: ChainTransaction; kind: string }[] = [];
  let firstPaid = Infinity;
  let hadTrial = false;
  for (const one of ordered) {
    if (one.freeTrial) hadTrial = true;
    if (one.freeTrial || one.priceMilliunits === 0) continue;
    let kind = one.purchasedAt > firstPaid ? 'renewal' : hadTrial ? 'after_trial' : 'new';
    if (!one.autoRenewable) kind = 'one_time';
    else firstPaid = Math.min(firstPaid, one.purchasedAt);
    paid.push({ one, kind });
  }
  return paid;
}

type Window = { from: string; to: string; timezone: string; interval: 'day' | 'week' | 'month' };

const formats = new Map<string, Intl.DateTimeFormat>();
export function localDay(ms: number, timeZone: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone });
  formats.set(timeZone, format);
  return format.format(ms);
}

/** The first day of the interval that holds the day. */
export function beginning(day: string, interval: Window['interval']): string {
  if (interval === 'month') return `${day.slice(0, 7)}-01`;
  const at = new Date(`${day}T00:00:00Z`);
  if (interval === 'week') at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
  return at.toISOString().slice(0, 10);
}

const nothing = () => ({
  purchases: 0,
  grossMinor: 0,
  netMinor: 0,
  refunds: {
    byPurchaseDay: { count: 0, amountMinor: 0 },
    byRefundDay: { count: 0, amountMinor: 0 },
  },
});
type Figures = ReturnType<typeof nothing>;

export function recounted(all: readonly ChainHistory[], window: Window) {
  const total = nothing();
  const points = new Map<string, Figures>();
  /** By text, the later of two days. */
  const cut = (day: string): string =>
    [beginning(day, window.interval), window.from].toSorted().at(-1)!;
  for (let day = window.from; day <= window.to; ) {
    const key = cut(day);
    if (!points.has(key)) points.set(key, nothing());
    day = new Date(Date.parse(`${day}T00:00:00Z`) + DAY).toISOString().slice(0, 10);
  }
  const parts: Record<'byProduct' | 'byCountry' | 'byOffer' | 'byKind', Record<string, Figures>> = {
    byProduct: {},
    byCountry: {},
    byOffer: {},
    byKind: {},
  };
  const currencies: Record<string, { purchases: number; grossMinor: number }> = {};
  const pointOf = (ms: number): Figures | null => {
    const day = localDay(ms, window.timezone);
    if (day < window.from || day > window.to) return null;
    return points.get(cut(day))!;
  };
  for (const history of all) {
    for (const { one, kind } of payments(history)) {
      const { priceMilliunits, currency, purchasedAt } = one;
      const gross =
        priceMilliunits === null ? 0 : (worth(priceMilliunits, currency!, purchasedAt) ?? 0);
      const isRefunded = one.revokedAt !== null && !one.upgraded;
      const refund = isRefunded ? refundedPart(gross, one.refundedMilliunits) : 0;
      const names = {
        byProduct: one.productId,
        byCountry: one.country ?? 'unknown',
        byOffer: one.offer ?? 'none',
        byKind: kind,
      };
      const into = (point: Figures): Figures[] => {
        const found = [total, point];
        for (const name of ['byProduct', 'byCountry', 'byOffer', 'byKind'] as const) {
          parts[name][names[name]] ??= nothing();
          found.push(parts[name][names[name]]!);
        }
        return found;
      };
      const bought = pointOf(purchasedAt);
      if (bought) {
        for (const sums of into(bought)) {
          sums.purchases += 1;
          sums.grossMinor += gross;
          sums.netMinor += gross;
          if (isRefunded) sums.refunds.byPurchaseDay.count += 1;
          sums.refunds.byPurchaseDay.amountMinor += refund;
        }
        if (currency !== null && priceMilliunits !== null) {
          currencies[currency] ??= { purchases: 0, grossMinor: 0 };
          currencies[currency].purchases += 1;
          currencies[currency].grossMinor += toCents(priceMilliunits);
        }
      }
      const given = isRefunded ? pointOf(one.revokedAt!) : null;
      for (const sums of given ? into(given) : []) {
        sums.refunds.byRefundDay.count += 1;
        sums.refunds.byRefundDay.amountMinor += refund;
        sums.netMinor -= refund;
      }
    }
  }
  return { total, points: [...points], ...parts, currencies };
}
