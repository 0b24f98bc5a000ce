import { describe, expect, test } from 'bun:test';
import Big from 'big.js';
import { upsertStoreApps } from '../../../src/modules/sales/collection/apps-queries.ts';
import { importRates } from '../../../src/modules/sales/rates/import.ts';
import { eventRows, salesRows } from '../../simulators/store/account.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg } from '../../support/service.ts';
import { collectAll, placeConnection, startStoreSuite } from '../../support/store.ts';

/*
 * The figures a second time, out of the reports that the store sends, in plain loops over exact
 * decimals. Nothing below uses the code that it checks: neither dates nor rates nor product types.
 */
Big.DP = 60;
const HALF_EVEN = 2;
const DAY_MS = 86_400_000;
const LAST_DAY = '2026-07-14';
const DAYS = 30;
const dayBefore = (day: string, back: number) =>
  new Date(Date.parse(`${day}T12:00:00Z`) - back * DAY_MS).toISOString().slice(0, 10);
const daysUntil = (last: string, count: number) =>
  Array.from({ length: count }, (_, index) => dayBefore(last, count - 1 - index));
const digitsOf = (currency: string) => (['JPY', 'KRW', 'CLP', 'VND'].includes(currency) ? 0 : 2);

/** What the bank quotes, with a hole of fourteen days in it and no rate at weekends. */
const QUOTED = { USD: 1.0831, JPY: 162.31, GBP: 0.8453, AUD: 1.6412, CHF: 0.9377, SEK: 11.237 };
const HOLE = { from: '2026-06-20', to: '2026-07-03' };
const rates = new Map<string, string>();
for (const [index, day] of daysUntil(LAST_DAY, 80).entries()) {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
  if (weekday === 0 || weekday === 6 || (day >= HOLE.from && day <= HOLE.to)) continue;
  for (const [currency, rate] of Object.entries(QUOTED)) {
    rates.set(`${currency} ${day}`, (rate * (1 + index / 1_000)).toFixed(4));
  }
}
function rateOf(currency: string, day: string): Big | null {
  if (currency === 'EUR') return new Big(1);
  for (let back = 0; back <= 7; back += 1) {
    const rate = rates.get(`${currency} ${dayBefore(day, back)}`);
    if (rate !== undefined) return new Big(rate);
  }
  return null;
}
const minor = (amount: Big, currency: string) =>
  Number(amount.times(new Big(10).pow(digitsOf(currency))).round(0, HALF_EVEN));
function convert(amount: Big, from: string, to: string, day: string): number | null {
  if (amount.eq(0)) return 0;
  if (from === to) return minor(amount, to);
  const [divisor, multiplier] = [rateOf(from, day), rateOf(to, day)];
  return divisor && multiplier ? minor(amount.times(multiplier).div(divisor), to) : null;
}

function unitsName(type: string): string {
  if (type === 'IA3' || type === 'QX2') return 'otherUnits';
  if (type.startsWith('IAY')) return 'subscriptionUnits';
  if (type.startsWith('IA')) return 'iapUnits';
  const digit = type.replace('F', '')[0];
  return { 1: 'downloads', 3: 'redownloads', 7: 'updates' }[digit ?? ''] ?? 'otherUnits';
}

const NAMES =
  'proceedsMinor customerSpendMinor unconvertedProceedsMinor downloads redownloads updates iapUnits subscriptionUnits trials otherUnits refunds'.split(
    ' ',
  );
type Figures = Record<string, number>;
const nothing = (): Figures => Object.fromEntries(NAMES.map((name) => [name, 0]));

const database = await testDatabase();
const suite = await startStoreSuite(database, { retentionDays: 70 });
const { seed, apps } = suite.store.account;
const org = await createTestOrg(suite);

type Told = {
  totals: Figures;
  series: Map<string, Figures>;
  byApp: Map<string, Figures>;
  byCountry: Map<string, Figures>;
  byDevice: Map<string, Figures>;
  byKind: Map<string, Figures>;
  byProductType: Map<string, Figures>;
  products: Map<string, Figures>;
  currencies: Map<string, number>;
  unconverted: Map<string, number>;
  unconvertedSpend: Map<string, number>;
  daysMissingRates: Set<string>;
};

function addTo(map: Map<string, number>, key: string, value: number): void {
  if (value !== 0) map.set(key, (map.get(key) ?? 0) + value);
}

function addFigures(map: Map<string, Figures>, key: string, figures: Figures): void {
  const sum = map.get(key) ?? nothing();
  for (const name of NAMES) sum[name]! += figures[name]!;
  map.set(key, sum);
}

type Row = Record<string, string | undefined>;

function moneyOf(row: Row, day: string, target: string, told: Told): Figures {
  const units = new Big(row.Units!);
  const paidOut = row['Currency of Proceeds']!;
  const paid = row['Customer Currency']!;
  const proceeds = units.times(row['Developer Proceeds']!);
  const spend = units.times(new Big(row['Customer Price']!).abs());
  const figures = nothing();
  addTo(told.currencies, paidOut, minor(proceeds, paidOut));
  const converted = convert(proceeds, paidOut, target, day);
  if (converted === null) {
    figures.unconvertedProceedsMinor = minor(proceeds, paidOut);
    addTo(told.unconverted, paidOut, minor(proceeds, paidOut));
  }
  figures.proceedsMinor = converted ?? 0;
  const convertedSpend = convert(spend, paid, target, day);
  if (convertedSpend === null) addTo(told.unconvertedSpend, paid, minor(spend, paid));
  figures.customerSpendMinor = convertedSpend ?? 0;
  if (converted === null || convertedSpend === null) told.daysMissingRates.add(day);
  return figures;
}

function salesFigures(row: Row, day: string, target: string, told: Told): Figures {
  const figures = moneyOf(row, day, target, told);
  const units = Number(row.Units);
  if (units > 0) figures[unitsName(row['Product Type Identifier']!)]! += units;
  else if (row.CMB !== 'CMB-C') figures.refunds! += -units;
  return figures;
}

function appOf(row: Row): string {
  const id = row['Apple Identifier'];
  const sku = row['Parent Identifier'] || row.SKU;
  return (apps.find((app) => app.id === id) ?? apps.find((app) => app.sku === sku))!.id;
}

function kindOf(type: string): string {
  if (type === 'QX2') return 'other';
  if (type.startsWith('IAY')) return 'subscription';
  return type.startsWith('IA') ? 'iap' : 'app';
}

type Part = { storeAppId?: string; country?: string; sku?: string };
/** Subscription events name a product by the store's id alone. */
const skuOf = (row: Row) =>
  row.SKU ??
  apps.flatMap((app) => app.products).find(({ id }) => id === row['Subscription Apple ID'])!.sku;
const idOf = (sku: string) =>
  apps.flatMap((app) => [app, ...app.products]).find((one) => one.sku === sku)?.id ?? sku;
const isIn = (part: Part, app: string, row: Row) =>
  (part.storeAppId === undefined || app === part.storeAppId) &&
  (part.country === undefined || (row['Country Code'] ?? row.Country) === part.country) &&
  (part.sku === undefined || skuOf(row) === part.sku);

function recompute(days: readonly string[], target: string, part: Part = {}): Told {
  const told: Told = {
    totals: nothing(),
    series: new Map(days.map((day) => [day, nothing()])),
    byApp: new Map(),
    byCountry: new Map(),
    byDevice: new Map(),
    byKind: new Map(),
    byProductType: new Map(),
    products: new Map(),
    currencies: new Map(),
    unconverted: new Map(),
    unconvertedSpend: new Map(),
    daysMissingRates: new Set(),
  };
  const all = new Map([['all', told.totals]]);
  const keep = (day: string, app: string, row: Row, figures: Figures) => {
    addFigures(all, 'all', figures);
    addFigures(told.series, day, figures);
    addFigures(told.byApp, app, figures);
    addFigures(told.byCountry, row['Country Code'] ?? row.Country!, figures);
    addFigures(told.byDevice, row.Device!, figures);
    const type = row['Product Type Identifier'] ?? 'IAY';
    addFigures(told.byKind, kindOf(type), figures);
    addFigures(told.byProductType, type, figures);
    const id = row['Apple Identifier'] ?? row['Subscription Apple ID']!;
    addFigures(told.products, `${app} ${id} ${kindOf(type)}`, figures);
  };
  for (const day of days) {
    for (const row of salesRows(seed, apps, day) as Row[]) {
      if (!isIn(part, appOf(row), row)) continue;
      keep(day, appOf(row), row, salesFigures(row, day, target, told));
    }
    for (const row of eventRows(seed, apps, day) as Row[]) {
      if (!isIn(part, row['App Apple ID']!, row)) continue;
      const isTrial = row['Subscription Offer Type'] === 'Free Trial';
      const trials = isTrial && row.Event!.startsWith('Start') ? Number(row.Quantity) : 0;
      keep(day, row['App Apple ID']!, row, { ...nothing(), trials });
    }
  }
  return told;
}

const pick = (row: Figures): Figures => Object.fromEntries(NAMES.map((name) => [name, row[name]!]));
const sorted = (map: Map<string, number>, name: string) =>
  [...map]
    .map(([currency, value]) => ({ currency, [name]: value }))
    .toSorted((a, b) => String(a.currency).localeCompare(String(b.currency)));
/** Rows without anything in them say nothing; a subscription report has such. */
const told = (rows: readonly (readonly [string, Figures])[]) =>
  Object.fromEntries(rows.filter(([, row]) => NAMES.some((name) => row[name] !== 0)));
const keyed = (rows: readonly ({ key: string } & Figures)[]) =>
  told(rows.map((row) => [row.key, pick(row)] as const));

await placeConnection(suite, org.orgId);
await upsertStoreApps(
  suite.deps.sql,
  org.orgId,
  apps.map(({ id, name, bundleId, sku }) => ({ storeAppId: id, name, bundleId, sku })),
);
const codes = Object.keys(QUOTED);
const lines = daysUntil(LAST_DAY, 80).map((day) =>
  [day, ...codes.map((code) => rates.get(`${code} ${day}`) ?? 'N/A')].join(','),
);
const file = Buffer.from(`Date,${codes.join(',')}\n${lines.join('\n')}\n`);
await importRates(suite.deps, { file, source: 'test' });
await collectAll(suite, org.orgId);

async function expectRecomputed(currency: string, part: Part = {}): Promise<Told> {
  const query = new URLSearchParams({ days: String(DAYS), currency, ...part });
  const { status, body } = await suite.call(`/v1/analytics?${query}`, { headers: org.key });
  expect(status).toBe(200);
  const now = recompute(daysUntil(LAST_DAY, DAYS), currency, part);
  const before = recompute(daysUntil(dayBefore(LAST_DAY, DAYS), DAYS), currency, part);
  expect(body.totals).toEqual(now.totals);
  expect(body.previous).toEqual(before.totals);
  // Beside each total is what it lacks for want of a rate; of days none is missing here.
  for (const [missing, { unconverted, unconvertedSpend }] of [
    [body.missing, now],
    [body.previousMissing, before],
  ] as const) {
    expect(missing).toEqual({
      days: [],
      unconverted: sorted(unconverted, 'proceedsMinor'),
      unconvertedSpend: sorted(unconvertedSpend, 'customerSpendMinor'),
    });
  }
  expect(body.isComparable).toBe(true);
  expect(pick(body.yesterday)).toEqual(now.series.get(LAST_DAY)!);
  expect(body.series.map((row: any) => [row.day, pick(row)])).toEqual([...now.series]);
  expect(keyed(body.byApp)).toEqual(told([...now.byApp]));
  expect(keyed(body.previousByApp)).toEqual(told([...before.byApp]));
  expect(keyed(body.byCountry)).toEqual(told([...now.byCountry]));
  expect(keyed(body.byDevice)).toEqual(told([...now.byDevice]));
  expect(keyed(body.byKind)).toEqual(told([...now.byKind]));
  expect(keyed(body.byProductType)).toEqual(told([...now.byProductType]));
  // Where no sale of that kind names the product id, the row has the store's own.
  const products = body.products.map(
    (row: any) => [`${row.storeAppId} ${idOf(row.sku)} ${row.kind}`, pick(row)] as const,
  );
  expect(told(products)).toEqual(told([...now.products]));
  expect(new Set(products.map(([key]: [string]) => key)).size).toBe(products.length);
  expect(body.currencies).toEqual(sorted(now.currencies, 'proceedsMinor'));
  expect(body.unconverted).toEqual(sorted(now.unconverted, 'proceedsMinor'));
  expect(body.unconvertedSpend).toEqual(sorted(now.unconvertedSpend, 'customerSpendMinor'));
  expect(body.daysMissingRates).toBe(now.daysMissingRates.size);
  return now;
}

test.each(['USD', 'EUR', 'JPY', 'GBP'])(
  'the figures in %s are those of the reports, added up by hand',
  async (currency) => {
    const now = await expectRecomputed(currency);
    // The comparison is worth something: all of it is there.
    for (const name of NAMES) expect([name, now.totals[name] !== 0]).toEqual([name, true]);
    expect(now.unconvertedSpend.has('VND')).toBe(true);
    expect(now.unconverted.has('VND')).toBe(false);
  },
);

describe('a part of the sales', () => {
  const [first, second] = apps;
  const product = second!.products.find(({ type }) => type === 'IAY')!;

  test('is that of one app', async () => {
    const now = await expectRecomputed('USD', { storeAppId: first!.id });
    expect([...now.byApp.keys()]).toEqual([first!.id]);
  });

  test('of one country', async () => {
    const now = await expectRecomputed('EUR', { country: 'CH' });
    expect(now.totals.downloads).toBeGreaterThan(0);
  });

  test('of one product, with the trials that name it by another id', async () => {
    const now = await expectRecomputed('USD', { sku: product.sku });
    expect(now.totals.trials).toBeGreaterThan(0);
    expect(now.totals.subscriptionUnits).toBeGreaterThan(0);
    expect(now.totals.downloads).toBe(0);
  });

  test('of the downloads of an app, by its SKU', async () => {
    const now = await expectRecomputed('USD', { sku: first!.sku });
    expect(now.totals.downloads).toBeGreaterThan(0);
    expect(now.totals.subscriptionUnits).toBe(0);
  });

  test('of all three at once', async () => {
    const part = { storeAppId: second!.id, country: 'US', sku: product.sku };
    await expectRecomputed('USD', part);
  });

  test('parts of the same kind add up to the whole', async () => {
    const call = async (query: string) =>
      (await suite.call(`/v1/analytics?days=${DAYS}${query}`, { headers: org.key })).body.totals;
    const whole = await call('');
    const sum = nothing();
    for (const { id } of apps) {
      const part = await call(`&storeAppId=${id}`);
      for (const name of NAMES) sum[name]! += part[name];
    }
    expect(sum).toEqual(pick(whole));
  });

  test('without sales is all zeros; a store app that is not listed is 404', async () => {
    const call = (query: string, headers = org.key) =>
      suite.call(`/v1/analytics?days=7&${query}`, { headers });
    for (const query of ['country=AQ', 'sku=no.such.product', 'storeAppId=unattributed']) {
      const { status, body } = await call(query);
      expect([query, status, pick(body.totals)]).toEqual([query, 200, nothing()]);
      expect(body.byCountry).toEqual([]);
      expect(body.products).toEqual([]);
    }
    expect((await call('country=ch')).body.byCountry.map(({ key }: any) => key)).toEqual(['CH']);
    expect((await call('storeAppId=1')).body.error.code).toBe('store_app_not_found');
    const other = await createTestOrg(suite);
    expect((await call(`storeAppId=${first!.id}`, other.key)).status).toBe(404);
    for (const query of ['country=CHE', 'country=C1', 'sku=', `sku=${'x'.repeat(201)}`]) {
      expect([query, (await call(query)).status]).toEqual([query, 400]);
    }
  });
});

test('an answer whose money has no rate because the rates end says when, and what to do', async () => {
  const call = async () =>
    (await suite.call('/v1/analytics?days=7', { headers: org.key })).body.rates;
  expect(await call()).toBeUndefined();
  await suite.deps.sql`DELETE FROM exchange_rates WHERE day > '2026-07-02'`;
  await suite.deps.sql`
    INSERT INTO exchange_rate_imports (revision, source, imported_at, first_day, last_day, changed)
    SELECT nextval('exchange_rate_revisions'), 'cut', now(), '2026-07-02', '2026-07-02', 0`;
  const rates = await call();
  const [row] = await suite.deps.sql`SELECT max(day)::text AS day FROM exchange_rates`;
  expect(rates.through).toBe(row!.day);
  expect(rates.notice).toContain('admin import rates');
});
