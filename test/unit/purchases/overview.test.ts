import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { toOverview } from '../../../src/modules/purchases/overview/answer.ts';
import {
  countLengths,
  foldChain,
  foldRange,
  since,
} from '../../../src/modules/purchases/overview/fold.ts';
import type {
  ChainHistory,
  ChainTransaction,
  RenewalNote,
} from '../../../src/modules/purchases/overview/history.ts';
import { packFold, unpackFold } from '../../../src/modules/purchases/overview/pack.ts';
import {
  commonLengths,
  daysOfDuration,
  type LengthCount,
  lengthOfDays,
  lengthOfReport,
} from '../../../src/modules/purchases/overview/period-length.ts';
import { FoldTexts } from '../../../src/modules/purchases/overview/read-folds.ts';
import { OverviewTally } from '../../../src/modules/purchases/overview/tally.ts';
import { NO_TERMS, type Terms } from '../../../src/modules/purchases/overview/terms.ts';
import type { ExpiryReason } from '../../../src/shared/purchase.ts';
import type { Store } from '../../../src/shared/stores.ts';
import { randomFrom } from '../../support/random.ts';
import { DAY, FIRST, HOUR, lived, PRODUCTS, plan } from '../../support/subscription-histories.ts';

const texts = new FoldTexts();
const RUNS = process.env.TEST_FULL ? 5_000 : 300;
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Euros are worth another amount each day; nobody quotes XAU. */
const rate = (currency: string, atMs: number): number | null => {
  if (currency === 'USD') return 100;
  if (currency === 'XAU') return null;
  return 100 + (Math.floor(atMs / DAY) % 7);
};

/** Germany pays out more; no report has the weekly product, and the yearly one is called 6 months. */
const shareOf = ({ productId, country }: Pick<ChainTransaction, 'productId' | 'country'>) =>
  productId === 'week' ? null : country === 'DEU' ? 0.85 : 0.7;
const TERMS: Terms = {
  missing: null,
  lengthOf: (productId) => (productId === 'year' ? lengthOfReport('6 Months') : null),
  commonLengthOf: () => null,
  shareOf,
};

/** As the database adds them up. */
function countsOf(folds: readonly ReturnType<typeof foldChain>[]): LengthCount[] {
  const counts = new Map<string, LengthCount>();
  for (const count of folds.flatMap(countLengths)) {
    const key = `${count.productId} ${count.billedMonthly} ${count.duration}`;
    const periods = (counts.get(key)?.periods ?? 0) + count.periods;
    counts.set(key, { ...count, periods });
  }
  return [...counts.values()];
}

function overview(
  histories: ChainHistory[],
  fromMs: number,
  days: number,
  nowMs = Infinity,
  terms: Terms = NO_TERMS,
  storeOf: (history: ChainHistory) => Store = () => 'app_store',
) {
  const endMs = Math.min(fromMs + days * DAY, nowMs);
  const window = { fromMs, endMs, days, nowMs: Math.min(nowMs, FIRST + 400 * DAY) };
  const commonLengthOf = commonLengths(countsOf(histories.map(foldChain)));
  const tally = new OverviewTally(window, rate, { ...terms, commonLengthOf });
  for (const history of histories) {
    const fold = foldChain(history);
    const { beginsMs, untilMs } = foldRange(fold);
    // As the database keeps it, and as it answers.
    const kept = JSON.stringify(packFold(fold));
    if (beginsMs === null || beginsMs >= endMs || untilMs < fromMs) continue;
    tally.addChain(since(unpackFold(texts.read(kept)!), fromMs), storeOf(history));
  }
  return toOverview(tally, window, iso(fromMs));
}

/** The same histories, told in another order. */
function shuffled(all: readonly ChainHistory[], seed: number): ChainHistory[] {
  const random = randomFrom(seed);
  const mixed = <T>(items: readonly T[]): T[] =>
    items
      .map((item) => ({ item, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ item }) => item);
  return mixed(all).map(({ transactions, renewals }) => ({
    transactions: mixed(transactions),
    renewals: mixed(renewals),
  }));
}

type State = {
  kind: 'paid' | 'trial' | 'free';
  mrr: number;
  boughtAt: number;
  /** What it would be at the rate of another day. */
  mrrOf: (atMs: number) => number | null;
  currency: string;
  product: string;
  country: string;
};

/** Independent of the code: what a chain is at one instant, by its latest purchase. */
function stateAt({ transactions, renewals }: ChainHistory, t: number): State | null {
  let latest: ChainTransaction | null = null;
  for (const one of transactions) {
    if (one.familyShared || one.purchasedAt > t) continue;
    if (!latest || one.purchasedAt >= latest.purchasedAt) latest = one;
  }
  if (!latest) return null;
  let end = latest.expiresAt!;
  for (const { signedAt, graceExpiresAt } of renewals) {
    if (signedAt < latest.purchasedAt || graceExpiresAt === null) continue;
    let isLater = false;
    for (const one of transactions) {
      if (one.purchasedAt > latest.purchasedAt && one.purchasedAt < signedAt) isLater = true;
    }
    if (!isLater && graceExpiresAt > end) end = graceExpiresAt;
  }
  if (latest.revokedAt !== null) end = Math.min(end, latest.revokedAt);
  if (t >= end) {
    // A gap of less than a day between paid periods is none.
    let next: ChainTransaction | null = null;
    for (const one of transactions) {
      if (one.familyShared || one.purchasedAt <= latest.purchasedAt) continue;
      if (!next || one.purchasedAt < next.purchasedAt) next = one;
    }
    if (!next || next.purchasedAt - end >= DAY) return null;
    for (const one of [latest, next]) if (one.priceMilliunits === 0) return null;
  }
  const isHalf = latest.offerPeriod === 'P6M' || latest.productId === 'year';
  const factor = isHalf ? 1 / 6 : PRODUCTS[latest.productId]![1];
  const { priceMilliunits, currency } = latest;
  const mrrOf = (atMs: number) => {
    const worth = rate(currency!, atMs);
    return worth === null ? null : ((priceMilliunits! * worth) / 1000) * factor;
  };
  const kind = latest.freeTrial ? 'trial' : latest.priceMilliunits === 0 ? 'free' : 'paid';
  const mrr = mrrOf(latest.purchasedAt) ?? 0;
  const { productId: product, country, purchasedAt: boughtAt } = latest;
  return { kind, mrr, boughtAt, mrrOf, currency: currency!, product, country: country! };
}

const paidAt = (history: ChainHistory, t: number) => {
  const state = stateAt(history, t);
  return state?.kind === 'paid' ? state : null;
};

function recount(histories: ChainHistory[], fromMs: number, endMs: number) {
  const sum = { start: 0, new: 0, returned: 0, churned: 0, end: 0, trials: 0, freeOffers: 0 };
  const mrr = {
    ...{ start: 0, new: 0, returned: 0, expansion: 0, contraction: 0, churned: 0, end: 0 },
    exchange: 0,
  };
  const products: Record<string, { active: number; mrr: number }> = {};
  const proceeds = { known: 0, minor: 0, unknown: 0, unknownMinor: 0 };
  for (const history of histories) {
    const instants = new Set<number>();
    for (const one of history.transactions) {
      for (const t of [one.purchasedAt, one.expiresAt, one.revokedAt]) if (t) instants.add(t);
    }
    for (const { graceExpiresAt } of history.renewals)
      if (graceExpiresAt) instants.add(graceExpiresAt);
    let wasPaid = false;
    for (const t of [...instants].sort((a, b) => a - b)) {
      const [before, after] = [paidAt(history, t - 1), paidAt(history, t)];
      const isInside = t >= fromMs && t < endMs;
      if (isInside && !before && after) {
        sum[wasPaid ? 'returned' : 'new'] += 1;
        mrr[wasPaid ? 'returned' : 'new'] += after.mrr;
      }
      if (isInside && before && !after) {
        sum.churned += 1;
        mrr.churned += before.mrr;
      }
      if (isInside && before && after && before.boughtAt !== after.boughtAt) {
        const isSame = before.currency === after.currency;
        const revalued = before.mrrOf(t) ?? (isSame ? after.mrr : before.mrr);
        mrr.exchange += revalued - before.mrr;
        if (after.mrr > revalued) mrr.expansion += after.mrr - revalued;
        else mrr.contraction += revalued - after.mrr;
      }
      if (after) wasPaid = true;
    }
    const start = paidAt(history, fromMs - 1);
    if (start) {
      sum.start += 1;
      mrr.start += start.mrr;
    }
    const state = stateAt(history, endMs - 1);
    if (state?.kind === 'paid') {
      sum.end += 1;
      mrr.end += state.mrr;
      products[state.product] ??= { active: 0, mrr: 0 };
      products[state.product]!.active += 1;
      products[state.product]!.mrr += state.mrr;
      if (state.mrr > 0 && state.product === 'week') {
        proceeds.unknown += 1;
        proceeds.unknownMinor += state.mrr;
      } else if (state.mrr > 0) {
        proceeds.known += 1;
        proceeds.minor += state.mrr * (state.country === 'DEU' ? 0.85 : 0.7);
      }
    }
    if (state?.kind === 'trial') sum.trials += 1;
    if (state?.kind === 'free') sum.freeOffers += 1;
  }
  return { sum, mrr, products, proceeds };
}

const histories = fc.array(plan, { minLength: 1, maxLength: 12 }).map((plans) => plans.map(lived));
const windows = fc.record({
  from: fc.integer({ min: 0, max: 300 }),
  days: fc.integer({ min: 1, max: 60 }),
  cut: fc.integer({ min: 0, max: 23 }),
});

const near = (got: number, wanted: number) => expect(Math.abs(got - wanted)).toBeLessThanOrEqual(1);

describe('the overview on random histories', () => {
  test('equals a recomputation by plain loops', () => {
    fc.assert(
      fc.property(histories, windows, fc.nat(), (all, { from, days, cut }, seed) => {
        const fromMs = FIRST + from * DAY;
        const endMs = fromMs + days * DAY - cut * HOUR;
        const got = overview(shuffled(all, seed), fromMs, days, endMs, TERMS);
        const wanted = recount(all, fromMs, endMs);
        const { start, new: begun, returned, churned, end } = got.subscriptions;
        const { trials, freeOffers, ...counts } = wanted.sum;
        expect({ start, new: begun, returned, churned, end }).toEqual(counts);
        expect([got.trials, got.freeOffers, got.active]).toEqual([trials, freeOffers, counts.end]);
        for (const key of ['start', 'new', 'returned', 'expansion', 'contraction'] as const) {
          near(got.mrr[key], wanted.mrr[key]);
        }
        near(got.mrr.churned, wanted.mrr.churned);
        near(got.mrr.exchange, wanted.mrr.exchange);
        near(got.mrrMinor, wanted.mrr.end);
        const { known, minor, unknown, unknownMinor } = wanted.proceeds;
        expect(got.mrrProceedsMissing?.active ?? 0).toBe(unknown);
        near(got.mrrProceedsMissing?.mrrMinor ?? 0, unknownMinor);
        if (known > 0 || unknown === 0) near(got.mrrProceedsMinor!, minor);
        else expect(got.mrrProceedsMinor).toBeNull();
        for (const { productId, active, mrrMinor } of got.byProduct) {
          expect(active).toBe(wanted.products[productId]?.active ?? 0);
          near(mrrMinor, wanted.products[productId]?.mrr ?? 0);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('of two stores is that of each, and adds up', () => {
    const LEVELS = ['active', 'grace', 'trials', 'freeOffers', 'billingRetry'] as const;
    fc.assert(
      fc.property(histories, windows, (all, { from, days, cut }) => {
        const fromMs = FIRST + from * DAY;
        const endMs = fromMs + days * DAY - cut * HOUR;
        const storeOf = (history: ChainHistory): Store =>
          all.indexOf(history) % 2 === 0 ? 'app_store' : 'google_play';
        const got = overview([...all], fromMs, days, endMs, TERMS, storeOf);
        if (!got.byStore) return;
        for (const level of LEVELS) {
          expect(got.byStore.reduce((sum, part) => sum + part[level], 0)).toBe(got[level]);
        }
        const mrr = got.byStore.reduce((sum, part) => sum + part.mrrMinor, 0);
        expect(Math.abs(mrr - got.mrrMinor)).toBeLessThanOrEqual(1);
        for (const count of ['start', 'new', 'returned', 'churned', 'end'] as const) {
          const sum = got.byStore.reduce((all, part) => all + part.subscriptions[count], 0);
          expect(sum).toBe(got.subscriptions[count]);
        }
        const google = got.byStore.find(({ store }) => store === 'google_play');
        const own = all.filter((history) => storeOf(history) === 'google_play');
        const alone = overview(own, fromMs, days, endMs, NO_TERMS, () => 'google_play');
        expect(google?.active ?? 0).toBe(alone.active);
        expect(google?.mrrMinor ?? 0).toBe(alone.mrrMinor);
        // No report of the other store says what is paid out of it.
        expect(got.mrrProceedsMissing?.active ?? 0).toBeGreaterThanOrEqual(
          google && google.mrrMinor > 0 ? 1 : 0,
        );
      }),
      { numRuns: RUNS },
    );
  });

  test('MRR is the exact sum of what was paid, rounded once', () => {
    const sold = fc.record({
      price: fc.integer({ min: 1, max: 2_000_000 }),
      currency: fc.constantFrom('USD', 'EUR'),
      product: fc.constantFrom(...Object.keys(PRODUCTS)),
      start: fc.integer({ min: 0, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(sold, { minLength: 1, maxLength: 40 }), (all) => {
        // Nobody renews; an hour into the last day all are active but the days of the week before.
        const active = all.filter(({ product, start }) => start === 6 || product !== 'day');
        const histories = all.map(({ start, ...one }) =>
          lived({ ...one, start: start * 24, trial: false, shared: false, steps: [] }),
        );
        const at = FIRST + 6 * DAY + HOUR;
        const got = overview(histories, FIRST, 7, at);
        // In twelve-thousandths of a cent all of them are whole.
        const parts = active.reduce((sum, { price, currency, product, start }) => {
          const perYear = Math.round(12 * PRODUCTS[product]![1]);
          return sum + BigInt(price) * BigInt(rate(currency, FIRST + start * DAY)! * perYear);
        }, 0n);
        expect(got.active).toBe(active.length);
        const [whole, rest] = [parts / 12_000n, Number(parts % 12_000n)];
        // A third of a cent has no end in binary: next to a half either is as good.
        if (Math.abs(rest - 6_000) > 1) {
          expect(got.mrrMinor).toBe(Number(whole) + (rest > 6_000 ? 1 : 0));
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('movement is an identity in counts and MRR, of the window, each day and each part', () => {
    fc.assert(
      fc.property(histories, windows, (all, { from, days }) => {
        const got = overview(all, FIRST + from * DAY, days);
        const check = ({ subscriptions: s, mrr: m }: Pick<typeof got, 'subscriptions' | 'mrr'>) => {
          expect(s.start + s.new + s.returned - s.churned).toBe(s.end);
          const gained = m.start + m.new + m.returned + m.expansion;
          expect(gained - m.contraction - m.churned + m.exchange).toBe(m.end);
        };
        check(got);
        let before = { end: got.subscriptions.start, mrr: got.mrr.start };
        for (const day of got.byDay) {
          check(day);
          expect([day.subscriptions.start, day.mrr.start]).toEqual([before.end, before.mrr]);
          expect([day.active, day.mrrMinor]).toEqual([day.subscriptions.end, day.mrr.end]);
          before = { end: day.subscriptions.end, mrr: day.mrr.end };
        }
        expect(before).toEqual({ end: got.active, mrr: got.mrrMinor });
        for (const parts of [got.byProduct, got.byCountry]) {
          for (const { subscriptions: s, mrr: m, ...levels } of parts) {
            const gained = s.new + s.returned + s.switchedIn;
            expect(s.start + gained - s.churned - s.switchedOut).toBe(s.end);
            const plus = m.start + m.new + m.returned + m.switchedIn + m.expansion;
            expect(plus - m.contraction - m.churned - m.switchedOut + m.exchange).toBe(m.end);
            expect([levels.active, levels.mrrMinor]).toEqual([s.end, m.end]);
          }
          expect(parts.reduce((sum, { active }) => sum + active, 0)).toBe(got.active);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('trials begun are converted, pending or abandoned, and churn has a reason each', () => {
    fc.assert(
      fc.property(histories, windows, (all, { from, days }) => {
        const got = overview(all, FIRST + from * DAY, days);
        for (const { started, converted, pending, abandoned } of got.trialConversion.cohorts) {
          expect(converted + pending + abandoned).toBe(started);
        }
        for (const one of got.churn) {
          expect(one.voluntary + one.billing + one.refund + one.other).toBe(one.churned);
        }
        const churned = got.churn.reduce((sum, one) => sum + one.churned, 0);
        expect(churned).toBe(got.subscriptions.churned);
        const started = got.churn.reduce((sum, one) => sum + one.activeAtStart, 0);
        expect(started).toBe(got.subscriptions.start);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the length of a period', () => {
  test('is the nearest that the store sells, and each has its months⁻¹', () => {
    const perMonth = [1, 3, 7, 14, 28, 30, 31, 61, 91, 182, 365].map(
      (days) => lengthOfDays(days).perMonth,
    );
    expect(perMonth).toEqual([30, 10, 4, 2, 1, 1, 1, 1 / 2, 1 / 3, 1 / 6, 1 / 12]);
    expect(lengthOfDays(37).name).toBe('1 month');
    expect(lengthOfDays(0).name).toBe('1 day');
    expect(lengthOfDays(10_000).name).toBe('1 year');
  });

  test('that a report names is one that the store sells', () => {
    const names = ['7 Days', '1 Week', '1 Month', '2 Months', '3 Months', '6 Months', '1 Year'];
    expect(names.map((name) => lengthOfReport(name)?.perMonth)).toEqual([
      4,
      4,
      1,
      1 / 2,
      1 / 3,
      1 / 6,
      1 / 12,
    ]);
    for (const other of [null, '', 'Month', '0 Days', '1 month', '1 Month or so', '1 Fortnight']) {
      expect(lengthOfReport(other)).toBeNull();
    }
  });

  test('of an offer is read from its ISO 8601 duration', () => {
    expect(['P1W', 'P3D', 'P1M2W', 'P', '3M', 'P0D'].map(daysOfDuration)).toEqual([
      7,
      3,
      365.25 / 12 + 14,
      null,
      null,
      null,
    ]);
    expect(daysOfDuration('P1Y')).toBe(365.25);
  });
});

let number = 1_000_000;

const bought = (day: number, extra: Partial<ChainTransaction> = {}): ChainTransaction => {
  number += 1;
  return {
    transactionId: String(number),
    productId: 'month',
    country: 'USA',
    purchasedAt: FIRST + day * DAY,
    expiresAt: FIRST + (day + 30) * DAY,
    firstExpiresAt: null,
    revokedAt: null,
    upgraded: false,
    autoRenewable: true,
    familyShared: false,
    freeTrial: false,
    discount: null,
    offer: null,
    offerPeriod: null,
    billedMonthly: false,
    priceMilliunits: 10_000,
    currency: 'USD',
    refundedMilliunits: null,
    ...extra,
  };
};
const told = (day: number, extra: Partial<RenewalNote> = {}): RenewalNote => ({
  signedAt: FIRST + day * DAY,
  willRenew: true,
  retrying: false,
  expiryReason: null,
  graceExpiresAt: null,
  ...extra,
});
const trialBought = (day: number, extra: Partial<ChainTransaction> = {}) =>
  bought(day, {
    freeTrial: true,
    priceMilliunits: 0,
    expiresAt: FIRST + (day + 7) * DAY,
    ...extra,
  });
const at = (history: Partial<ChainHistory>, day: number, days = 10) =>
  overview(
    [{ transactions: [], renewals: [], ...history }],
    FIRST + (day - days) * DAY,
    days,
    FIRST + day * DAY,
  );

describe('a subscription counts', () => {
  test('through its grace period, and paid within it recovers without movement', () => {
    const renewals = [told(30.1, { retrying: true, graceExpiresAt: FIRST + 46 * DAY })];
    const transactions = [bought(0)];
    expect(at({ transactions, renewals }, 40)).toMatchObject({
      active: 1,
      grace: 1,
      billingRetry: 0,
    });
    const ended = at({ transactions, renewals }, 50);
    expect(ended).toMatchObject({ active: 0, grace: 0, billingRetry: 1, mrrMinor: 0 });
    expect(ended.subscriptions.churned).toBe(1);
    expect(ended.churn).toMatchObject([{ duration: '1 month', billing: 1, voluntary: 0 }]);
    const recovered = at({ transactions: [...transactions, bought(41)], renewals }, 50, 20);
    expect(recovered.subscriptions).toMatchObject({ start: 1, churned: 0, recovered: 1, end: 1 });
  });

  test('through the grace period that the store named last', () => {
    const until = (day: number) => ({ retrying: true, graceExpiresAt: FIRST + day * DAY });
    const renewals = [told(30.1, until(36)), told(33, until(46))];
    expect(at({ transactions: [bought(0)], renewals }, 40)).toMatchObject({ active: 1, grace: 1 });
    const sooner = [told(30.1, until(46)), told(33, until(36))];
    expect(at({ transactions: [bought(0)], renewals: sooner }, 40).active).toBe(0);
  });

  test('not in billing retry, and paid after it has returned', () => {
    const renewals = [told(30, { retrying: true })];
    const history = { transactions: [bought(0), bought(35)], renewals };
    expect(at({ ...history, transactions: [bought(0)] }, 33)).toMatchObject({
      active: 0,
      billingRetry: 1,
    });
    expect(at(history, 36).subscriptions).toMatchObject({
      start: 1,
      churned: 1,
      returned: 1,
      end: 1,
    });
    expect(at({ transactions: [bought(0)], renewals }, 91).billingRetry).toBe(0);
  });

  test('until its refund, which is counted by the day of purchase and of refund', () => {
    const refunded = bought(0, { revokedAt: FIRST + 12 * DAY, refundedMilliunits: 50_000 });
    expect(at({ transactions: [refunded] }, 11)).toMatchObject({ active: 1 });
    const after = at({ transactions: [refunded] }, 15, 5);
    expect(after).toMatchObject({ active: 0, subscriptions: { start: 1, churned: 1 } });
    expect(after.churn).toMatchObject([{ refund: 1, voluntary: 0, billing: 0 }]);
    expect(after.refunds).toMatchObject({
      byPurchaseDay: { paid: 0, refunded: 0 },
      byRefundDay: { count: 1, amountMinor: 500 },
    });
    const [none, one] = [0, 1].map((count) => ({ paid: count, refunded: count, refundRate: null }));
    expect(at({ transactions: [refunded] }, 5).refunds.byPurchaseDay).toEqual({
      ...one!,
      subscriptions: one!,
      oneTime: none!,
    });
    const coins = { autoRenewable: false, expiresAt: null };
    const many = (count: number, extra: Partial<ChainTransaction> = {}) =>
      Array.from({ length: count }, () => bought(1, extra));
    const all = [...many(45), ...many(55, coins)];
    const back = many(25, { ...coins, revokedAt: FIRST + 40 * DAY });
    expect(at({ transactions: [...all, ...back] }, 5).refunds.byPurchaseDay).toEqual({
      ...{ paid: 125, refunded: 25, refundRate: 0.2 },
      subscriptions: { paid: 45, refunded: 0, refundRate: null },
      oneTime: { paid: 80, refunded: 25, refundRate: 25 / 80 },
    });
  });

  test('until its end although auto-renew is off', () => {
    const renewals = [told(5, { willRenew: false })];
    const transactions = [bought(0)];
    expect(at({ transactions, renewals }, 20)).toMatchObject({ active: 1, willNotRenew: 1 });
    expect(at({ transactions, renewals }, 31).churn).toMatchObject([{ voluntary: 1 }]);
  });

  test('with the price of an upgrade from the moment of it', () => {
    const dear = bought(10, {
      productId: 'year',
      priceMilliunits: 240_000,
      expiresAt: FIRST + 375 * DAY,
    });
    const got = at({ transactions: [bought(0, { upgraded: true }), dear] }, 12, 5);
    expect(got.mrr).toMatchObject({ start: 1000, expansion: 1000, end: 2000 });
    expect(got.subscriptions).toMatchObject({ start: 1, new: 0, churned: 0, end: 1, expanded: 1 });
    expect(got.byProduct.map(({ productId, active }) => [productId, active])).toEqual([
      ['year', 1],
      ['month', 0],
    ]);
  });

  test('with the price of a pay-up-front offer over its own period', () => {
    const offer = {
      discount: 'pay_up_front' as const,
      offerPeriod: 'P6M',
      priceMilliunits: 30_000,
    };
    const upFront = bought(0, { ...offer, expiresAt: FIRST + 184 * DAY });
    expect(at({ transactions: [upFront] }, 20).mrrMinor).toBe(500);
    const asYouGo = { ...offer, discount: 'pay_as_you_go' as const, offerPeriod: 'P1M' };
    expect(at({ transactions: [bought(0, asYouGo)] }, 20).mrrMinor).toBe(3000);
  });

  test('apart when the family shares it, when it does not renew, and without a rate or price', () => {
    const family = at({ transactions: [bought(0, { familyShared: true })] }, 5);
    expect([family.active, family.familyShared, family.mrrMinor]).toEqual([0, 1, 0]);
    const coins = bought(4, { autoRenewable: false, expiresAt: null });
    expect(at({ transactions: [coins] }, 5)).toMatchObject({
      active: 0,
      nonRenewing: { purchases: { count: 1, amountMinor: 1000 }, refunds: { count: 0 } },
      refunds: { byPurchaseDay: { paid: 1, subscriptions: { paid: 0 }, oneTime: { paid: 1 } } },
    });
    expect(at({ transactions: [bought(4, { currency: 'XAU' })] }, 5)).toMatchObject({
      active: 1,
      mrrMinor: 0,
      unconverted: [{ currency: 'XAU', active: 1, transactions: 1 }],
    });
    const dear = { currency: 'XAU', autoRenewable: false, revokedAt: FIRST + 4.5 * DAY };
    const unknown = { count: 1, amountMinor: 0 };
    expect(at({ transactions: [bought(4, dear)] }, 5)).toMatchObject({
      nonRenewing: { purchases: unknown, refunds: unknown },
      unconverted: [{ currency: 'XAU', active: 0, transactions: 1 }],
    });
    const unsigned = bought(4, { currency: null, priceMilliunits: null });
    expect(at({ transactions: [unsigned] }, 5)).toMatchObject({ active: 1, withoutPrice: 1 });
  });
});

describe('a period that is not paid for as a whole, at its start', () => {
  const yearly = { productId: 'year', regularMilliunits: 120_000, planPeriod: 'P1Y' };

  test('is a switch where credit pays, worth its plan', () => {
    const credit = bought(10, { ...yearly, priceMilliunits: 0, expiresAt: FIRST + 48 * DAY });
    const got = at({ transactions: [bought(0), credit] }, 12, 5);
    expect(got).toMatchObject({
      ...{ active: 1, freeOffers: 0 },
      mrr: { start: 1000, contraction: 0, churned: 0, end: 1000 },
      subscriptions: { start: 1, churned: 0, end: 1 },
    });
    const { subscriptions } = at({ transactions: [bought(0), credit] }, 12, 15).refunds
      .byPurchaseDay;
    expect(subscriptions.paid).toBe(1);
  });

  test('is bought on the day of its payment, and begins on its own', () => {
    const topUp = bought(10, { startsAt: FIRST + 30 * DAY, expiresAt: FIRST + 60 * DAY });
    const transactions = [bought(0), topUp];
    const early = at({ transactions }, 15, 10);
    expect(early).toMatchObject({ active: 1, subscriptions: { start: 1, new: 0 } });
    expect(early.refunds.byPurchaseDay.subscriptions.paid).toBe(1);
    const late = at({ transactions }, 40, 20);
    expect(late).toMatchObject({ active: 1, mrrMinor: 1000, subscriptions: { churned: 0 } });
    expect(late.refunds.byPurchaseDay.subscriptions.paid).toBe(0);
  });

  test('has add-ons in its MRR while they run', () => {
    const addOn = bought(10, {
      ...{ productId: 'extra', isAddOn: true, priceMilliunits: 1_000, regularMilliunits: 2_000 },
      expiresAt: FIRST + 30 * DAY,
    });
    const transactions = [bought(0), addOn, bought(30)];
    expect(at({ transactions }, 20, 15)).toMatchObject({
      ...{ active: 1, mrrMinor: 1200 },
      mrr: { start: 1000, expansion: 200, end: 1200 },
      subscriptions: { start: 1, new: 0, end: 1, expanded: 1 },
    });
    expect(at({ transactions }, 35, 10).mrr).toMatchObject({ start: 1200, contraction: 200 });
    const taken = { ...addOn, revokedAt: FIRST + 20 * DAY };
    expect(at({ transactions: [bought(0), taken] }, 25, 10).mrr).toMatchObject({
      contraction: 200,
    });
  });

  test('goes on where its money is given back alone', () => {
    const got = at({ transactions: [bought(0, { refundedAt: FIRST + 5 * DAY })] }, 10, 11);
    expect(got).toMatchObject({ active: 1, subscriptions: { churned: 0 } });
    expect(got.refunds.byRefundDay).toEqual({ count: 1, amountMinor: 1000 });
  });
});

describe('MRR by what is paid out', () => {
  const now = FIRST + 5 * DAY;
  const of = (transactions: ChainTransaction[], terms: Terms) =>
    overview(
      transactions.map((one) => ({ transactions: [one], renewals: [] })),
      FIRST,
      10,
      now,
      terms,
    );

  test('is each one’s share of the same product and country; what has none is named', () => {
    const all = [bought(0), bought(1, { country: 'DEU' }), bought(2, { productId: 'week' })];
    expect(of(all, TERMS)).toMatchObject({
      mrrMinor: 3000,
      mrrProceedsMinor: 700 + 850,
      mrrProceedsMissing: { reason: 'not_in_reports', active: 1, mrrMinor: 1000 },
    });
    expect(of(all.slice(0, 1), TERMS)).toMatchObject({
      mrrProceedsMinor: 700,
      mrrProceedsMissing: null,
    });
    expect(of(all.slice(2), TERMS)).toMatchObject({
      mrrProceedsMinor: null,
      mrrProceedsMissing: { reason: 'not_in_reports', active: 1 },
    });
  });

  test('is null with the reason where no report says anything, and zero without subscribers', () => {
    expect(of([bought(0)], NO_TERMS)).toMatchObject({
      mrrProceedsMinor: null,
      mrrProceedsMissing: { reason: 'no_report', active: 1, mrrMinor: 1000 },
    });
    expect(of([], TERMS)).toMatchObject({ mrrProceedsMinor: 0, mrrProceedsMissing: null });
  });

  test('takes the length that a report names, but that of a pay-up-front offer from the offer', () => {
    const year = { productId: 'year', priceMilliunits: 60_000 };
    expect(of([bought(0, year)], TERMS).mrrMinor).toBe(1000);
    const upFront = { ...year, discount: 'pay_up_front' as const, offerPeriod: 'P1Y' };
    expect(of([bought(0, upFront)], TERMS).mrrMinor).toBe(500);
  });
});

describe('a trial', () => {
  const outcome = (history: Partial<ChainHistory>, day: number) => {
    const { converted, pending, abandoned } = at(history, day, day).trialConversion.cohorts[0]!;
    return { converted, pending, abandoned };
  };
  const none = { converted: 0, pending: 0, abandoned: 0 };

  test('is pending while it renews and is not over, and stays a trial in grace', () => {
    expect(outcome({ transactions: [trialBought(0)] }, 5)).toEqual({ ...none, pending: 1 });
    const off = { transactions: [trialBought(0)], renewals: [told(2, { willRenew: false })] };
    expect(outcome(off, 5)).toEqual({ ...none, abandoned: 1 });
    const grace = [told(7, { graceExpiresAt: FIRST + 23 * DAY })];
    const inGrace = at({ transactions: [trialBought(0)], renewals: grace }, 10);
    expect(inGrace).toMatchObject({ trials: 1, grace: 1, active: 0 });
    expect(outcome({ transactions: [trialBought(0)], renewals: grace }, 10).pending).toBe(1);
  });

  test('is converted when the next period was paid and not refunded', () => {
    const transactions = [trialBought(0), bought(7)];
    expect(outcome({ transactions }, 10)).toEqual({ ...none, converted: 1 });
    const refunded = [trialBought(0), bought(7, { revokedAt: FIRST + 8 * DAY })];
    expect(outcome({ transactions: refunded }, 10)).toEqual({ ...none, abandoned: 1 });
    const prorated = { upgraded: true, revokedAt: FIRST + 17 * DAY, refundedMilliunits: 66_000 };
    const upgraded = [trialBought(0), bought(7, prorated), bought(17, { productId: 'year' })];
    expect(outcome({ transactions: upgraded }, 20)).toEqual({ ...none, converted: 1 });
    expect(outcome({ transactions: [trialBought(0)] }, 10)).toEqual({ ...none, abandoned: 1 });
  });

  test('is of its cohort whatever the window ends at, and the headline waits for the pending', () => {
    const now = FIRST + 9 * DAY;
    const settled = { transactions: [trialBought(0), bought(7)], renewals: [] };
    const pending = { transactions: [trialBought(3)], renewals: [] };
    const got = overview(Array(60).fill(settled).concat(pending), FIRST, 10, now);
    expect(got.trialConversion).toMatchObject({ started: 60, converted: 60, rate: 1 });
    const few = overview([settled, pending], FIRST, 10, now);
    expect(few.trialConversion).toMatchObject({ started: 1, converted: 1, rate: null });
  });
});

test('churn without those that returned is the net rate, by the length that they had left', () => {
  const ended = { transactions: [bought(0)], renewals: [] };
  const back = { transactions: [bought(0), bought(33)], renewals: [] };
  const all = [...Array(40).fill(ended), ...Array(10).fill(back)];
  expect(overview(all, FIRST + 20 * DAY, 20).churn).toMatchObject([
    { duration: '1 month', activeAtStart: 50, churned: 50, returned: 10, rate: 1, netRate: 0.8 },
  ]);
  // One who had paid for a year returns for a month, also where the year ended before the window.
  const year = { productId: 'year', priceMilliunits: 100_000, expiresAt: FIRST + 365 * DAY };
  const lesser = { transactions: [bought(0, year), bought(400)], renewals: [] };
  for (const day of [360, 390]) {
    const { churn } = overview([lesser], FIRST + day * DAY, 60);
    expect(churn.filter(({ returned }) => returned > 0)).toMatchObject([{ duration: '1 year' }]);
  }
});

test('a fold is read again as it was packed, each name once', () => {
  fc.assert(
    fc.property(plan, (given) => {
      const fold = foldChain(lived(given));
      const packed = packFold(fold);
      const nameless = <T extends { transactionId: string }>(sold: T) => ({
        ...sold,
        transactionId: '',
      });
      expect(unpackFold(new FoldTexts().read(JSON.stringify(packed))!)).toEqual({
        ...fold,
        spans: fold.spans.map((span) => ({ ...span, sold: nameless(span.sold) })),
        others: fold.others.map(nameless),
      });
      expect(new Set(packed.names).size).toBe(packed.names.length);
    }),
    { numRuns: RUNS },
  );
});

describe('the ends of a window', () => {
  test('hold a refund at its first instant, of what renews and of what does not', () => {
    const back = { revokedAt: FIRST + 20 * DAY };
    const renewing = at({ transactions: [bought(0, back)] }, 25, 5);
    expect(renewing.refunds.byRefundDay.count).toBe(1);
    expect(renewing.subscriptions).toMatchObject({ start: 1, churned: 1 });
    const coins = bought(0, { ...back, autoRenewable: false, expiresAt: null });
    expect(at({ transactions: [coins] }, 25, 5).nonRenewing.refunds.count).toBe(1);
    const replaced = bought(0, { ...back, expiresAt: FIRST + 10 * DAY });
    const after = bought(30);
    expect(at({ transactions: [replaced, after] }, 25, 5).refunds.byRefundDay.count).toBe(1);
    expect(at({ transactions: [replaced, after] }, 26, 5).refunds.byRefundDay.count).toBe(0);
  });

  test('leave out what begins with the next', () => {
    expect(at({ transactions: [bought(5)] }, 5)).toMatchObject({ active: 0, mrrMinor: 0 });
    expect(at({ transactions: [bought(5, { expiresAt: FIRST + 35 * DAY })] }, 35).active).toBe(1);
    expect(at({ transactions: [bought(5)] }, 5).byProduct).toEqual([]);
  });

  test('find a trial that ends with them over', () => {
    const trial = { transactions: [trialBought(0)], renewals: [] };
    const of = (nowMs: number) => overview([trial], FIRST, 10, nowMs).trialConversion.cohorts[0]!;
    expect(of(FIRST + 7 * DAY - 1)).toMatchObject({ pending: 1, abandoned: 0 });
    expect(of(FIRST + 7 * DAY)).toMatchObject({ pending: 0, abandoned: 1 });
  });

  test('count no renewal at the same price as expansion or contraction', () => {
    const same = at({ transactions: [bought(0), bought(30)] }, 35, 10).subscriptions;
    expect(same).toEqual({
      ...{ start: 1, new: 0, returned: 0, churned: 0, end: 1 },
      ...{ recovered: 0, expanded: 0, contracted: 0 },
    });
    const less = bought(30, { priceMilliunits: 5_000 });
    expect(at({ transactions: [bought(0), less] }, 35, 10)).toMatchObject({
      subscriptions: { expanded: 0, contracted: 1 },
      mrr: { contraction: 500, expansion: 0 },
    });
  });
});

test('what never began and what is too much stays within bounds', () => {
  const nothing = foldChain({ transactions: [], renewals: [] });
  expect(foldRange(nothing)).toEqual({ beginsMs: null, untilMs: 0 });
  const many = Array.from({ length: 5_002 }, (_, index) => ({
    transactions: [bought(0, { productId: `p${index}` })],
    renewals: [],
  }));
  const { byProduct } = overview(many, FIRST, 5);
  expect(byProduct).toHaveLength(5_001);
  expect(byProduct.find(({ productId }) => productId === 'other')?.active).toBe(2);
});

test('there is no rate under fifty', () => {
  const ended = { transactions: [bought(0)], renewals: [told(5, { willRenew: false })] };
  const stays = { transactions: [bought(0), bought(30)], renewals: [] };
  const of = (size: number) =>
    overview([...Array(size - 10).fill(stays), ...Array(10).fill(ended)], FIRST + 20 * DAY, 20)
      .churn;
  expect(of(49)).toMatchObject([{ activeAtStart: 49, churned: 10, rate: null, netRate: null }]);
  expect(of(50)).toMatchObject([
    { activeAtStart: 50, rate: 0.2, voluntaryRate: 0.2, billingRate: 0 },
  ]);
});

describe('why a subscription ended', () => {
  const churned = (expiryReason: ExpiryReason) =>
    at({ transactions: [bought(0)], renewals: [told(30, { willRenew: false, expiryReason })] }, 31)
      .churn[0];

  test('is the word of the store', () => {
    expect(churned('canceled')).toMatchObject({ voluntary: 1, billing: 0, other: 0 });
    expect(churned('billing')).toMatchObject({ voluntary: 0, billing: 1, other: 0 });
    for (const reason of [
      'price_increase',
      'product_unavailable',
      'other',
      'unlisted:6',
    ] as const) {
      expect(churned(reason)).toMatchObject({ other: 1 });
    }
  });

  test('is guessed from what it said before where it did not say', () => {
    const of = (renewals: RenewalNote[]) =>
      at({ transactions: [bought(0)], renewals }, 31).churn[0];
    expect(of([])).toMatchObject({ other: 1 });
    expect(of([told(1)])).toMatchObject({ other: 1 });
    expect(of([told(1, { willRenew: false })])).toMatchObject({ voluntary: 1 });
    expect(of([told(30, { retrying: true })])).toMatchObject({ billing: 1 });
    // The last word counts.
    const off = { willRenew: false };
    expect(of([told(1, off), told(2)])).toMatchObject({ other: 1, voluntary: 0 });
    expect(of([told(1), told(2, off)])).toMatchObject({ other: 0, voluntary: 1 });
  });
});

test('a length lies halfway between its neighbours, and halfway is the shorter', () => {
  const days = [1, 3, 7, 14, 28, 365.25 / 12, 365.25 / 6, 365.25 / 4, 365.25 / 2, 365.25];
  for (const [index, longer] of days.entries()) {
    const shorter = days[index - 1];
    if (shorter === undefined) continue;
    const half = (shorter + longer) / 2;
    expect(lengthOfDays(half - 0.01)).toEqual(lengthOfDays(shorter));
    expect(lengthOfDays(half + 0.01)).toEqual(lengthOfDays(longer));
  }
  expect(lengthOfDays(2).name).toBe('1 day');
});

test('a trial that changes its product goes on; one that begins after a gap is another', () => {
  const started = (...transactions: ChainTransaction[]) =>
    at({ transactions }, 30, 30)
      .trialConversion.cohorts.filter((cohort) => cohort.started > 0)
      .map((cohort) => cohort.started);
  const other = trialBought(3, { productId: 'year' });
  expect(started(trialBought(0), other)).toEqual([1]);
  expect(started(trialBought(0), trialBought(8))).toEqual([1, 1]);
  expect(started(bought(0, { expiresAt: FIRST + 3 * DAY }), other)).toEqual([1]);
});

describe('exchange rates', () => {
  const euro = { currency: 'EUR' };

  test('move no subscriber whose price stays', () => {
    const months = [0, 30, 60, 90].map((day) => bought(day, { priceMilliunits: 9_990, ...euro }));
    const { mrr, subscriptions } = at({ transactions: months }, 100, 90);
    expect(subscriptions).toMatchObject({ expanded: 0, contracted: 0 });
    expect(mrr).toMatchObject({ expansion: 0, contraction: 0 });
    // 999 cents at 103 on the eleventh of January, at 106 on the first of April.
    expect(mrr).toMatchObject({
      start: 999,
      end: Math.round((999 * rate('EUR', FIRST + 90 * DAY)!) / 100),
    });
    expect(mrr.start + mrr.exchange).toBe(mrr.end);
    expect(mrr.exchange).not.toBe(0);
  });

  test('are apart from a new price, and stand for what had no rate', () => {
    const dearer = [bought(0, euro), bought(30, { ...euro, priceMilliunits: 20_000 })];
    const { mrr } = at({ transactions: dearer }, 35, 10);
    const [before, after] = [rate('EUR', FIRST)!, rate('EUR', FIRST + 30 * DAY)!];
    expect(mrr).toMatchObject({
      ...{ start: 10 * before, expansion: 10 * after, contraction: 0, end: 20 * after },
      exchange: 10 * (after - before),
    });
    const moved = [bought(0, { currency: 'XAU' }), bought(30)];
    expect(at({ transactions: moved }, 35, 10).mrr).toMatchObject({ start: 0, expansion: 1000 });
    const away = [bought(0), bought(30, { currency: 'XAU', priceMilliunits: 1 })];
    expect(at({ transactions: away }, 35, 10).mrr).toMatchObject({
      contraction: 1000,
      exchange: 0,
    });
  });
});

describe('the length of a product', () => {
  const month = (day: number, days: number, extra: Partial<ChainTransaction> = {}) =>
    bought(day, { expiresAt: FIRST + (day + days) * DAY, ...extra });
  const alone = (one: ChainTransaction) => ({ transactions: [one], renewals: [] });
  const others = [0, 31, 59, 90].map((day) => alone(month(day, 31)));

  test('is a month in February', () => {
    const february = alone(month(40, 28));
    const { churn } = overview([...others, february], FIRST + 41 * DAY, 37);
    expect(churn.map(({ duration }) => duration)).toEqual(['1 month']);
  });

  test('is not changed by an extension, nor before it, nor by a late charge', () => {
    const extended = month(0, 76, { firstExpiresAt: FIRST + 31 * DAY });
    for (const day of [10, 60]) expect(at({ transactions: [extended] }, day).mrrMinor).toBe(1000);
    const weekly = { productId: 'week', firstExpiresAt: FIRST + 7 * DAY };
    expect(at({ transactions: [month(0, 14, weekly)] }, 9).mrrMinor).toBe(4000);
    const unknown = overview([...others, alone(month(10, 76))], FIRST, 20, FIRST + 20 * DAY);
    expect(unknown.mrrMinor).toBe(2000);
    const late = overview([...others, alone(month(12, 19))], FIRST, 20, FIRST + 20 * DAY);
    expect([late.mrrMinor, late.active]).toEqual([2000, 2]);
  });

  test('is the same in every window, and is not what offers and trials last', () => {
    const offer = {
      discount: 'pay_up_front' as const,
      offerPeriod: 'P1Y',
      priceMilliunits: 60_000,
    };
    const upFront = [10, 11, 12, 13, 14].map((day) => alone(month(day, 365, offer)));
    const trials = [10, 11, 12, 13, 14].map((day) => alone(trialBought(day)));
    const all = [...others, ...upFront, ...trials, alone(month(40, 28))];
    expect(overview(all, FIRST, 9, FIRST + 9 * DAY).mrrMinor).toBe(1000);
    expect(overview(all, FIRST, 30, FIRST + 30 * DAY).mrrMinor).toBe(1000 + 5 * 500);
  });

  test('of a year that is billed by month is the month, whatever the report says', () => {
    const committed = { productId: 'year', billedMonthly: true };
    const now = FIRST + 70 * DAY;
    const monthly = {
      transactions: [0, 31, 59].map((day) => month(day, 31, committed)),
      renewals: [],
    };
    const paidAtOnce = alone(month(0, 365, { productId: 'year', priceMilliunits: 60_000 }));
    for (const terms of [TERMS, NO_TERMS]) {
      const got = overview([monthly], FIRST, 71, now, terms);
      expect([got.mrrMinor, got.subscriptions.new]).toEqual([1000, 1]);
      expect(overview([monthly], FIRST + 60 * DAY, 90, Infinity, terms).churn).toMatchObject([
        { duration: '1 month', activeAtStart: 1 },
      ]);
    }
    expect(overview([monthly, paidAtOnce], FIRST, 71, now).mrrMinor).toBe(1500);
  });

  test('of a pay-as-you-go offer is that of the product', () => {
    const offer = { discount: 'pay_as_you_go' as const, offerPeriod: 'P1M', productId: 'year' };
    const one = alone(month(0, 30, { ...offer, priceMilliunits: 60_000 }));
    expect(overview([one], FIRST, 20, FIRST + 20 * DAY, TERMS).mrrMinor).toBe(1000);
  });
});

describe('what is over stays as it was', () => {
  test('an end by billing stays one after the recovery, with a reason of the store or without', () => {
    const retry = told(30.1, { retrying: true });
    const ended = { transactions: [bought(0)], renewals: [told(0), retry] };
    const back = { transactions: [bought(0), bought(36)], renewals: [...ended.renewals, told(36)] };
    for (const history of [ended, back]) {
      expect(at(history, 35).churn).toMatchObject([{ churned: 1, billing: 1, other: 0 }]);
    }
  });

  test('a retry stays in its days when the period before it is refunded months later', () => {
    const renewals = [told(30, { retrying: true }), told(40)];
    const refunded = bought(0, { revokedAt: FIRST + 120 * DAY });
    for (const one of [bought(0), refunded]) {
      expect(at({ transactions: [one, bought(40)], renewals }, 35).billingRetry).toBe(1);
    }
    const meanwhile = bought(0, { revokedAt: FIRST + 33 * DAY });
    const of = (day: number) => at({ transactions: [meanwhile], renewals }, day).billingRetry;
    expect([of(32), of(34)]).toEqual([1, 0]);
  });

  test('a renewal that is charged hours late is neither an end nor a return', () => {
    for (const hours of [0.01, 3, 23.9]) {
      const transactions = [bought(0), bought(30 + hours / 24)];
      const renewals = [told(30, { retrying: true }), told(30 + hours / 24)];
      const got = at({ transactions, renewals }, 35);
      expect(got.subscriptions).toMatchObject({ start: 1, churned: 0, returned: 0, recovered: 0 });
      expect(got.byDay.map(({ active, billingRetry }) => [active, billingRetry])).toEqual(
        Array.from({ length: 10 }, () => [1, 0]),
      );
    }
    const dayLate = at({ transactions: [bought(0), bought(31)] }, 35);
    expect(dayLate.subscriptions).toMatchObject({ churned: 1, returned: 1 });
  });
});
