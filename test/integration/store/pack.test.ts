import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  appIndex,
  emptyFigures,
  foldPack,
  WHOLE,
} from '../../../src/modules/sales/analytics/fold.ts';
import type { DayPack } from '../../../src/modules/sales/days/pack.ts';
import { forEachPack, packDay } from '../../../src/modules/sales/days/packs-queries.ts';
import { insertFacts, upsertDay } from '../../../src/modules/sales/days/queries.ts';
import { createRateTable } from '../../../src/modules/sales/rates/rate-table.ts';
import type { SalesFact } from '../../../src/providers/store/port.ts';
import { testDatabase } from '../../support/postgres.ts';
import { packFacts } from '../../support/reports.ts';

const { sql } = await testDatabase();
const DAY = '2026-03-08';

/** What PostgreSQL makes of some facts, packed in the transaction that writes them. */
async function packed(facts: readonly SalesFact[]): Promise<DayPack> {
  const vendor = { orgId: crypto.randomUUID(), vendorNumber: '80012345' };
  const scope = { ...vendor, reportType: 'SALES', day: DAY } as const;
  return sql.begin(async (tx) => {
    await insertFacts(tx, scope, facts);
    await upsertDay(tx, scope, {
      state: 'reported',
      checkedAt: new Date(),
      emptySeenAt: null,
      lastError: null,
      facts: { contentHash: null, rows: facts.length },
    });
    await packDay(tx, scope);
    const packs: (DayPack | null)[] = [];
    await forEachPack(tx, vendor, { from: DAY, to: DAY, and: DAY }, ({ pack }) => {
      packs.push(pack);
    });
    expect(packs).toHaveLength(1);
    return packs[0]!;
  });
}

const fact = (line: number, change: Partial<SalesFact> = {}): SalesFact => ({
  line,
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

describe('amounts of a pack', () => {
  test.each([
    ['0', 0],
    ['-0.0', 0],
    ['12.5', 125_000],
    ['12.3400000000000000', 123_400],
    ['-0.0001', -1],
    ['0.00001', '0.00001'],
    ['1000000000000', '1000000000000'],
  ])('%s is %p', async (decimal, scaled) => {
    const pack = await packed([fact(1, { proceeds: decimal, customerSpend: decimal })]);
    expect([pack.proceeds, pack.customerSpend]).toEqual([[scaled], [scaled]]);
  });
});

test('rows that differ in units alone are one', async () => {
  const pack = await packed([
    fact(1, { units: '2', proceeds: '1.4' }),
    fact(2, { units: '-3', proceeds: '1.4' }),
    fact(3, { units: '-5', proceeds: '1.4', bundleCredit: true, trials: 4 }),
    fact(4, { units: '1', proceeds: '1.5' }),
  ]);
  expect(pack).toMatchObject({
    proceeds: [14_000, 15_000],
    times: [3, 1],
    sold: [200, 100],
    refunded: [300, 0],
    trials: [4, 0],
  });
});

test('figures of packed rows are those of the rows, whatever they are', async () => {
  const word = fc.constantFrom('100', '200', 'SKU-A', '', `it's "quoted"\\`);
  const amount = fc
    .tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.integer({ min: 0, max: 6 }))
    .map(([digits, scale]) => (digits / 10 ** scale).toFixed(scale));
  const currency = fc.constantFrom('USD', 'EUR', 'JPY', 'CLP');
  const change = fc.record({
    storeId: word,
    parentStoreId: fc.constantFrom(null, '200'),
    sku: word,
    parentSku: fc.constantFrom(null, 'SKU-A'),
    title: word,
    productType: fc.constantFrom('1F', '3F', 'IA1', 'IAY', 'QX', ''),
    country: fc.constantFrom('US', 'DE', ''),
    device: fc.constantFrom('iPhone', ''),
    units: fc.integer({ min: -50, max: 50 }).map(String),
    bundleCredit: fc.boolean(),
    isRenewal: fc.constantFrom(true, false, null),
    trials: fc.integer({ min: 0, max: 3 }),
    proceeds: amount,
    proceedsCurrency: currency,
    customerSpend: amount,
    customerCurrency: currency,
  });
  const rates = createRateTable([
    { day: DAY, currency: 'USD', rate: '1.0937' },
    { day: DAY, currency: 'JPY', rate: '160.03' },
  ]);
  const apps = appIndex([
    { storeAppId: '100', sku: 'SKU-A' },
    { storeAppId: '200', sku: '' },
  ]);
  const folded = (pack: DayPack) => {
    const figures = emptyFigures();
    foldPack(pack, { day: DAY, currency: 'EUR', rates, apps, part: WHOLE }, figures);
    return figures;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 30 }), async (changes) => {
      const facts = changes.map((one, index) => fact(index + 1, one));
      expect(folded(await packed(facts))).toEqual(folded(packFacts(facts)));
    }),
    { numRuns: 40 },
  );
});
