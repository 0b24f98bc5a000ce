import { describe, expect, test } from 'bun:test';
import Big from 'big.js';
import fc from 'fast-check';
import {
  appIndex,
  emptyFigures,
  foldPack,
  UNATTRIBUTED,
  WHOLE,
} from '../../../src/modules/sales/analytics/fold.ts';
import { freshness } from '../../../src/modules/sales/analytics/freshness.ts';
import { METRICS, type Metrics } from '../../../src/modules/sales/analytics/metrics.ts';
import { Analytics } from '../../../src/modules/sales/analytics/model.ts';
import { readModel } from '../../../src/modules/sales/analytics/read-model.ts';
import { resolveWindow } from '../../../src/modules/sales/analytics/window.ts';
import { createRateTable } from '../../../src/modules/sales/rates/rate-table.ts';
import { minorExponent } from '../../../src/shared/money.ts';
import { addDays } from '../../../src/shared/pacific.ts';
import { parser } from '../../../src/shared/schema.ts';
import { packFacts } from '../../support/reports.ts';

const NOW = new Date('2026-03-10T18:00:00Z');
const APPS = appIndex([
  { storeAppId: '100', sku: 'SKU-A' },
  { storeAppId: '200', sku: 'SKU-B' },
]);
const RATES = createRateTable([
  { day: '2026-02-20', currency: 'USD', rate: '1.1' },
  { day: '2026-02-20', currency: 'JPY', rate: '163.7' },
  { day: '2026-03-05', currency: 'USD', rate: '1.0937' },
  { day: '2026-03-05', currency: 'JPY', rate: '160.03' },
]);
type Fact = Parameters<typeof packFacts>[0][number];
const analytics = parser(Analytics, 'analytics');

const fact = (change: Partial<Fact> = {}): Fact => ({
  storeId: '100',
  parentStoreId: null,
  sku: 'SKU-A',
  parentSku: null,
  title: 'Focus Timer',
  productType: '1F',
  country: 'US',
  device: 'iPhone',
  units: '1',
  bundleCredit: false,
  isRenewal: null,
  trials: 0,
  proceeds: '0',
  proceedsCurrency: 'USD',
  customerSpend: '0',
  customerCurrency: 'USD',
  ...change,
});

function read(byDay: Record<string, Fact[]>, query = {}, currency = 'USD') {
  const states = new Map(Object.keys(byDay).map((day) => [day, 'reported' as const]));
  const run = { checkedAt: NOW, lastRunAt: NOW, lastError: null, failed: false };
  const fresh = freshness(NOW, states, run);
  const window = resolveWindow(query, fresh.yesterday);
  const [current, previous, other] = [emptyFigures(), emptyFigures(), emptyFigures()];
  for (const [day, facts] of Object.entries(byDay).toSorted().toReversed()) {
    const inPrevious = window.previousFrom <= day && day <= window.previousTo;
    const into = window.from <= day && day <= window.to ? current : inPrevious ? previous : other;
    foldPack(packFacts(facts), { day, currency, rates: RATES, apps: APPS, part: WHOLE }, into);
  }
  const ofYesterday = [current, previous, other].map(({ days }) => days.get(fresh.yesterday));
  return analytics.parse(
    readModel({
      window,
      currency,
      freshness: fresh,
      connected: true,
      states,
      current,
      previous,
      yesterday: ofYesterday.find((sums) => sums !== undefined),
      apps: new Map([['100', { name: 'Focus Timer', bundleId: 'com.a', appId: 'app_1' }]]),
    }),
  );
}

const total = (rows: readonly Metrics[], name: (typeof METRICS)[number]) =>
  rows.reduce((sum, row) => sum + row[name], 0);

describe('units', () => {
  const one = (change: Partial<Fact>) => read({ '2026-03-08': [fact(change)] }).totals;

  test.each([
    ['1F', 'downloads'],
    ['3F', 'redownloads'],
    ['7F', 'updates'],
    ['IA1', 'iapUnits'],
    ['IAY', 'subscriptionUnits'],
    ['IA3', 'otherUnits'],
    ['??', 'otherUnits'],
  ] as const)('%s counts as %s', (type, metric) => {
    expect(one({ productType: type, units: '4' })[metric]).toBe(4);
    expect(METRICS.filter((name) => one({ productType: type, units: '4' })[name] !== 0)).toEqual([
      metric,
    ]);
  });

  test('a refund counts as one and takes the money out', () => {
    expect(one({ units: '-2', proceeds: '-1.4', customerSpend: '-1.98' })).toMatchObject({
      refunds: 2,
      downloads: 0,
      proceedsMinor: -140,
      customerSpendMinor: -198,
    });
  });

  test('a bundle credit moves money only', () => {
    const credit = one({ units: '-1', bundleCredit: true, proceeds: '-0.7' });
    expect(credit).toMatchObject({ refunds: 0, downloads: 0, proceedsMinor: -70 });
  });

  test('trials have no units', () => {
    expect(one({ units: '0', trials: 5, productType: 'IAY' })).toMatchObject({
      trials: 5,
      subscriptionUnits: 0,
    });
  });
});

describe('whose rows they are', () => {
  const appsOf = (change: Partial<Fact>) =>
    read({ '2026-03-08': [fact(change)] }).byApp.map(({ storeAppId }) => storeAppId);

  test.each([
    [{ storeId: '200', sku: 'x' }, '200'],
    [{ storeId: '999', parentSku: 'SKU-B', sku: 'coins' }, '200'],
    [{ storeId: '999', sku: 'SKU-B' }, '200'],
    [{ storeId: '999', parentStoreId: '100', sku: '' }, '100'],
    [{ storeId: '999', sku: 'deleted' }, UNATTRIBUTED],
    [{ storeId: '999', parentSku: 'gone', sku: 'SKU-B' }, '200'],
  ])('%o', (change, app) => {
    expect(appsOf(change)).toEqual([app]);
  });

  test('money of an app that is gone is kept and shown', () => {
    const model = read({ '2026-03-08': [fact({ storeId: '9', sku: 'z', proceeds: '5' })] });
    expect(model.totals.proceedsMinor).toBe(500);
    expect(model.byApp[0]).toMatchObject({ storeAppId: UNATTRIBUTED, appId: null, bundleId: '' });
  });

  test('a known app has its name, bundle id and linked app', () => {
    const [app] = read({ '2026-03-08': [fact()] }).byApp;
    expect(app).toMatchObject({
      label: 'Focus Timer',
      bundleId: 'com.a',
      appId: 'app_1',
      key: '100',
    });
  });
});

describe('money without a rate', () => {
  test('nothing is worth nothing, also in a currency that is not quoted', () => {
    const nothing = fact({ proceeds: '0', proceedsCurrency: 'CLP', customerCurrency: '' });
    const none = read({ '2026-03-08': [nothing] });
    expect([none.daysMissingRates, none.currencies]).toEqual([0, []]);
  });

  const model = read({
    '2026-03-08': [
      fact({ proceeds: '950', proceedsCurrency: 'CLP', customerCurrency: 'CLP' }),
      fact({ proceeds: '1.00', proceedsCurrency: 'EUR' }),
    ],
    '2026-03-07': [fact({ proceeds: '2' })],
  });

  test('is counted in its own currency and named', () => {
    expect(model.totals).toMatchObject({ proceedsMinor: 109 + 200, unconvertedProceedsMinor: 950 });
    expect(model.unconverted).toEqual([{ currency: 'CLP', proceedsMinor: 950 }]);
    expect(model.currencies).toEqual([
      { currency: 'CLP', proceedsMinor: 950 },
      { currency: 'EUR', proceedsMinor: 100 },
      { currency: 'USD', proceedsMinor: 200 },
    ]);
    expect(model.daysMissingRates).toBe(1);
  });

  test('what customers paid is named as well, also where the proceeds have a rate', () => {
    const inVietnam = fact({
      proceeds: '0.70',
      customerSpend: '25000',
      customerCurrency: 'VND',
    });
    const refund = fact({ units: '-1', customerSpend: '-990', customerCurrency: 'CLP' });
    const told = read({ '2026-03-08': [inVietnam, refund], '2026-03-07': [fact()] });
    expect(told.totals).toMatchObject({
      proceedsMinor: 70,
      customerSpendMinor: 0,
      unconvertedProceedsMinor: 0,
    });
    expect(told.unconverted).toEqual([]);
    expect(told.unconvertedSpend).toEqual([
      { currency: 'CLP', customerSpendMinor: -990 },
      { currency: 'VND', customerSpendMinor: 25_000 },
    ]);
    expect(told.daysMissingRates).toBe(1);
  });

  test('a weekend day is converted with the rate before it', () => {
    expect(
      read({ '2026-03-08': [fact({ proceeds: '10', proceedsCurrency: 'EUR' })] }).totals,
    ).toMatchObject({ proceedsMinor: 1094, unconvertedProceedsMinor: 0 });
  });

  test('eight days after the last rate it is not', () => {
    const late = { '2026-03-14': [fact({ proceeds: '10', proceedsCurrency: 'EUR' })] };
    expect(read(late, { from: '2026-03-14', to: '2026-03-14' }).daysMissingRates).toBe(1);
  });
});

describe('what a report leaves out', () => {
  test.each([
    ['country', 'byCountry', 'Unknown'],
    ['device', 'byDevice', 'Unknown'],
    ['productType', 'byProductType', 'Product type unknown'],
  ] as const)('%s: such rows stand together under one key', (column, part, label) => {
    const model = read({
      '2026-03-08': [
        fact({ [column]: '', units: '3', proceeds: '1' }),
        fact({ [column]: 'unknown', units: '4', proceeds: '2' }),
        fact(),
      ],
    });
    const rows = model[part].filter(({ key }) => key === 'unknown' || key === '');
    expect(rows).toMatchObject([{ key: 'unknown', label, proceedsMinor: 300 }]);
    expect(total(model[part], 'proceedsMinor')).toBe(model.totals.proceedsMinor);
    expect(model[part]).toHaveLength(2);
  });
});

describe('the series', () => {
  test('has every day of the window, covered or not', () => {
    const model = read({ '2026-03-08': [fact()] }, { days: 3 });
    expect(model.series.map(({ day, covered }) => [day, covered])).toEqual([
      ['2026-03-07', false],
      ['2026-03-08', true],
      ['2026-03-09', false],
    ]);
    expect(model.yesterday).toMatchObject({ day: '2026-03-09', covered: false, downloads: 0 });
  });

  test('previous figures come from the days before', () => {
    const model = read(
      { '2026-03-09': [fact({ units: '5' })], '2026-03-08': [fact({ units: '3' })] },
      { days: 1 },
    );
    expect(model.totals.downloads).toBe(5);
    expect(model.previous.downloads).toBe(3);
    expect(model.previousByApp).toMatchObject([{ key: '100', label: 'Focus Timer', downloads: 3 }]);
  });
});

describe('any rows whatever', () => {
  const currency = fc.constantFrom('USD', 'EUR', 'JPY', 'CLP');
  const arbitraryFact = fc
    .record({
      storeId: fc.constantFrom('100', '200', '999', '501'),
      sku: fc.constantFrom('SKU-A', 'SKU-B', 'coins', ''),
      parentSku: fc.constantFrom(null, 'SKU-A', 'gone'),
      productType: fc.constantFrom('1F', '3F', '7F', 'IA1', 'IAY', 'IA3', 'QX', ''),
      country: fc.constantFrom('US', 'DE', 'JP', ''),
      device: fc.constantFrom('iPhone', 'iPad', ''),
      units: fc.integer({ min: -50, max: 50 }),
      cents: fc.integer({ min: 0, max: 99_999 }),
      proceedsCurrency: currency,
      customerCurrency: currency,
      bundleCredit: fc.boolean(),
      isRenewal: fc.constantFrom(true, false, null),
      trials: fc.integer({ min: 0, max: 3 }),
    })
    .map(({ units, cents, ...rest }) => {
      const exponent = minorExponent(rest.proceedsCurrency);
      const perUnit = new Big(cents).div(new Big(10).pow(exponent));
      return fact({
        ...rest,
        units: String(units),
        proceeds: perUnit.times(units).toFixed(),
        customerSpend: new Big(cents).times(units).toFixed(),
      });
    });
  const arbitraryDays = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 25 }), fc.array(arbitraryFact, { maxLength: 12 })))
    .map((list) =>
      Object.fromEntries(list.map(([age, facts]) => [addDays('2026-03-10', -age), facts])),
    );

  test('every breakdown and the series add up to the totals, to the unit', () => {
    fc.assert(
      fc.property(
        arbitraryDays,
        fc.integer({ min: 1, max: 30 }),
        currency,
        (byDay, days, target) => {
          const model = read(byDay, { days }, target);
          for (const name of METRICS) {
            for (const part of [
              'series',
              'seriesByApp',
              'byApp',
              'byCountry',
              'byDevice',
              'byKind',
              'byProductType',
              'products',
            ] as const) {
              expect([part, name, total(model[part], name)]).toEqual([
                part,
                name,
                model.totals[name],
              ]);
            }
            expect(total(model.previousByApp, name)).toBe(model.previous[name]);
          }
          const ofApps = model.byApp.flatMap((row) => row.unconverted);
          for (const { currency: code, proceedsMinor } of model.unconverted) {
            const same = ofApps.filter((one) => one.currency === code);
            expect(same.reduce((sum, one) => sum + one.proceedsMinor, 0)).toBe(proceedsMinor);
          }
          const unconverted = model.unconverted.reduce((sum, one) => sum + one.proceedsMinor, 0);
          expect(unconverted).toBe(model.totals.unconvertedProceedsMinor);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('the native money of every currency is that of the rows, exactly', () => {
    fc.assert(
      fc.property(arbitraryDays, currency, (byDay, target) => {
        const model = read(byDay, { days: 30 }, target);
        const native = new Map<string, Big>();
        for (const row of Object.values(byDay).flat()) {
          const sum = native.get(row.proceedsCurrency) ?? new Big(0);
          native.set(row.proceedsCurrency, sum.plus(row.proceeds));
        }
        for (const [code, sum] of native) {
          const minor = sum.times(new Big(10).pow(minorExponent(code))).toFixed();
          const told = model.currencies.find((one) => one.currency === code)?.proceedsMinor ?? 0;
          expect(`${code} ${told}`).toBe(`${code} ${minor}`);
        }
      }),
      { numRuns: 60 },
    );
  });
});
