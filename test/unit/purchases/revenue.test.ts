import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { foldChain, foldRange } from '../../../src/modules/purchases/overview/fold.ts';
import type {
  ChainHistory,
  ChainTransaction,
} from '../../../src/modules/purchases/overview/history.ts';
import { packFold } from '../../../src/modules/purchases/overview/pack.ts';
import { FoldTexts } from '../../../src/modules/purchases/overview/read-folds.ts';
import { createAmounts } from '../../../src/modules/purchases/revenue/amounts.ts';
import { toRevenue } from '../../../src/modules/purchases/revenue/answer.ts';
import { explain } from '../../../src/modules/purchases/revenue/reported.ts';
import { type Filters, RevenueTally } from '../../../src/modules/purchases/revenue/tally.ts';
import { resolveRevenueWindow } from '../../../src/modules/purchases/revenue/window.ts';
import { createRateTable } from '../../../src/modules/sales/rates/rate-table.ts';
import type { Store } from '../../../src/shared/stores.ts';
import { histories, RATES, recounted, worth } from '../../support/plain-revenue.ts';
import { DAY, FIRST } from '../../support/subscription-histories.ts';

const texts = new FoldTexts();
const RUNS = process.env.TEST_FULL ? 2_000 : 150;
const table = createRateTable(RATES);
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const amounts = createAmounts((currency, ms) => table.converter(currency, 'USD', iso(ms)));
const shareOf = ({ productId }: { productId: string }) => (productId === 'week' ? null : 0.7);

type Asked = { from: number; days: number; interval: 'day' | 'week' | 'month'; timezone: string };

const asked: fc.Arbitrary<Asked> = fc.record({
  from: fc.integer({ min: 0, max: 300 }),
  days: fc.integer({ min: 1, max: 90 }),
  interval: fc.constantFrom('day', 'week', 'month'),
  timezone: fc.constantFrom('UTC', 'America/Los_Angeles', 'Pacific/Auckland'),
});

function windowOf({ from, days, interval, timezone }: Asked) {
  const first = iso(FIRST + from * DAY);
  const input = { from: first, to: iso(FIRST + (from + days - 1) * DAY), interval };
  return resolveRevenueWindow(input, timezone, new Date(FIRST + 800 * DAY));
}

type StoreOf = (history: ChainHistory) => Store;
const inAppStore: StoreOf = () => 'app_store';

function counted(
  all: readonly ChainHistory[],
  given: Asked,
  filters: Filters = {},
  storeOf = inAppStore,
) {
  const window = windowOf(given);
  const { boundariesMs } = window;
  const tally = new RevenueTally({ boundariesMs, storeDaysMs: [], amounts, shareOf, filters });
  for (const history of all) {
    const fold = foldChain(history);
    const kept = JSON.stringify(packFold(fold));
    const { beginsMs, untilMs } = foldRange(fold);
    if (beginsMs === null || beginsMs >= boundariesMs.at(-1)! || untilMs < boundariesMs[0]!)
      continue;
    tally.addChain(texts.read(kept)!, storeOf(history));
  }
  return { window, revenue: toRevenue(tally, window) };
}

/** Every other one is of Google Play. */
const byTurns =
  (all: readonly ChainHistory[]): StoreOf =>
  (history) =>
    all.indexOf(history) % 2 === 0 ? 'app_store' : 'google_play';

describe('revenue of two stores', () => {
  test('is that of each, and adds up; only one of them has reports', () => {
    fc.assert(
      fc.property(histories, asked, (all, given) => {
        const storeOf = byTurns(all);
        const { revenue } = counted(all, given, {}, storeOf);
        const ofStore = (store: Store) =>
          counted(
            all.filter((one) => storeOf(one) === store),
            given,
          ).revenue.totals;
        const [apple, google] = [ofStore('app_store'), ofStore('google_play')];
        const told = new Map(revenue.byStore?.map(({ store, ...figures }) => [store, figures]));
        if (google.purchases + google.refunds.byRefundDay.count === 0) {
          expect(revenue.byStore).toBeUndefined();
          return;
        }
        const { netMinor, grossMinor, purchases } = told.get('google_play')!;
        expect({ netMinor, grossMinor, purchases }).toEqual({
          netMinor: google.netMinor,
          grossMinor: google.grossMinor,
          purchases: google.purchases,
        });
        expect(told.get('google_play')!.withoutShareMinor).toBe(netMinor);
        if (told.has('app_store')) expect(told.get('app_store')).toEqual(apple);
        expect(revenue.totals.netMinor).toBe(apple.netMinor + netMinor);
        expect(revenue.totals.purchases).toBe(apple.purchases + purchases);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('revenue from transactions', () => {
  test('is what plain loops over them say, to the minor unit', () => {
    fc.assert(
      fc.property(histories, asked, (all, given) => {
        const { window, revenue } = counted(all, given);
        const plain = recounted(all, { ...window, interval: given.interval });
        expect(revenue.totals).toMatchObject(plain.total);
        const found = revenue.points.map(({ from, proceedsMinor: _, ...point }) => [from, point]);
        expect(found).toMatchObject(plain.points);
        for (const [name, key] of [
          ['byProduct', 'productId'],
          ['byCountry', 'country'],
          ['byOffer', 'offer'],
          ['byKind', 'kind'],
        ] as const) {
          const rows = revenue[name].filter(
            ({ purchases, refunds }) => purchases + refunds.byRefundDay.count > 0,
          );
          const byName = Object.fromEntries(
            rows.map((row) => [Object.entries(row).find(([field]) => field === key)?.[1], row]),
          );
          expect(Object.keys(byName).sort()).toEqual(Object.keys(plain[name]).sort());
          expect(byName).toMatchObject(plain[name]);
          const net = rows.reduce((sum, row) => sum + row.netMinor, 0);
          expect(net).toBe(revenue.totals.netMinor);
        }
        expect(revenue.points.reduce((sum, point) => sum + point.netMinor, 0)).toBe(
          revenue.totals.netMinor,
        );
        expect(
          Object.fromEntries(revenue.currencies.map((one) => [one.currency, one])),
        ).toMatchObject(plain.currencies);
        expect(revenue.unconverted.every(({ currency }) => currency === 'XAU')).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test('of one kind, product, country or offer is its line of the whole', () => {
    fc.assert(
      fc.property(histories, asked, (all, given) => {
        const { revenue } = counted(all, given);
        for (const row of revenue.byKind) {
          const { totals } = counted(all, given, { kind: row.kind }).revenue;
          expect(row).toMatchObject(totals);
        }
        for (const row of revenue.byOffer) {
          expect(row).toMatchObject(counted(all, given, { offer: row.offer }).revenue.totals);
        }
      }),
      { numRuns: Math.ceil(RUNS / 10) },
    );
  });
});

const paid = (day: number, extra: Partial<ChainTransaction> = {}): ChainTransaction => ({
  transactionId: `${day}`,
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
  priceMilliunits: 9_990,
  currency: 'USD',
  refundedMilliunits: null,
  ...extra,
});
const june: Asked = { from: 0, days: 90, interval: 'month', timezone: 'UTC' };
const of = (...transactions: ChainTransaction[]) =>
  counted([{ transactions, renewals: [] }], june).revenue;

describe('a purchase', () => {
  test('is new, after a trial, a renewal or sold once', () => {
    const trial = paid(0, { freeTrial: true, priceMilliunits: 0, expiresAt: FIRST + 7 * DAY });
    const once = paid(3, { autoRenewable: false, expiresAt: null });
    const kinds = (revenue: ReturnType<typeof of>) =>
      revenue.byKind.flatMap(({ kind, purchases }) => (purchases > 0 ? [[kind, purchases]] : []));
    expect(kinds(of(paid(0), paid(30)))).toEqual([
      ['new', 1],
      ['renewal', 1],
    ]);
    expect(kinds(of(trial, paid(7), paid(37)))).toEqual([
      ['after_trial', 1],
      ['renewal', 1],
    ]);
    const addOn = { transactionId: '0/extra', productId: 'extra' };
    const later = { ...addOn, transactionId: '30/extra' };
    expect(kinds(of(paid(0), paid(0, addOn), paid(30), paid(30, later)))).toEqual([
      ['new', 2],
      ['renewal', 2],
    ]);
    expect(kinds(of(once))).toEqual([['one_time', 1]]);
    expect(kinds(of(trial))).toEqual([]);
  });

  test('is given back on two days: of its purchase and of its refund; a part of it in part', () => {
    const revenue = of(paid(0, { revokedAt: FIRST + 40 * DAY, refundedMilliunits: 33_335 }));
    const [january, february] = revenue.points;
    expect(january).toMatchObject({
      netMinor: 999,
      refunds: { byPurchaseDay: { count: 1, amountMinor: 333 }, byRefundDay: { count: 0 } },
    });
    expect(february).toMatchObject({
      netMinor: -333,
      refunds: { byPurchaseDay: { count: 0 }, byRefundDay: { count: 1, amountMinor: 333 } },
    });
  });

  test('that was upgraded is not given back; one of the family was never paid', () => {
    const revenue = of(
      paid(0, { upgraded: true, revokedAt: FIRST + 5 * DAY }),
      paid(5, { productId: 'year', expiresAt: FIRST + 370 * DAY }),
      paid(6, { familyShared: true }),
    );
    expect(revenue.totals).toMatchObject({ purchases: 2, netMinor: 1998 });
    expect(revenue.totals.refunds.byRefundDay.count).toBe(0);
  });

  test('without a rate or a price is counted beside', () => {
    const revenue = of(
      paid(0, { currency: 'XAU', priceMilliunits: 5_000 }),
      paid(30, { priceMilliunits: null }),
    );
    expect(revenue).toMatchObject({
      totals: { purchases: 2, grossMinor: 0 },
      unconverted: [{ currency: 'XAU', purchases: 1, grossMinor: 500 }],
      withoutPrice: 1,
    });
  });

  test('has proceeds where a report says the share', () => {
    const week = paid(0, { productId: 'week' });
    expect(of(paid(0)).totals).toMatchObject({ proceedsMinor: 699, withoutShareMinor: 0 });
    expect(of(week).totals).toMatchObject({ proceedsMinor: null, withoutShareMinor: 999 });
  });

  test('is worth whole minor units, half to even', () => {
    expect(worth(9_990, 'EUR', FIRST)).toBe(
      amounts({ ...paid(0), currency: 'EUR' }).converted!.gross,
    );
  });
});

test("the difference to the store's sales is the sum of its reasons", () => {
  const minor = fc.integer({ min: -10_000, max: 10_000 });
  const product = fc.constantFrom('a', 'b', 'c');
  fc.assert(
    fc.property(
      minor,
      fc.array(fc.array(fc.tuple(product, minor)), { minLength: 3, maxLength: 3 }),
      fc.array(fc.tuple(product, minor)),
      fc.subarray(['2026-03-01', '2026-03-02', '2026-03-03']),
      (netMinor, days, spend, missing) => {
        const spendByProduct = new Map(spend);
        const spendMinor = [...spendByProduct.values()].reduce((sum, one) => sum + one, 0);
        const sales = {
          ...{ from: '2026-03-01', to: '2026-03-03', spendMinor, proceedsMinor: 0 },
          ...{ spendByProduct, missing: new Set(missing) },
        };
        const storeDays = days.map((day) => new Map(day));
        const { differenceMinor, explained } = explain(sales, { netMinor, storeDays });
        expect(differenceMinor).toBe(netMinor - spendMinor);
        expect(Object.values(explained).reduce((sum, one) => sum + one, 0)).toBe(differenceMinor);
      },
    ),
  );
});
