import { afterEach, describe, expect, test } from 'bun:test';
import { upsertStoreApps } from '../../../src/modules/sales/collection/apps-queries.ts';
import { salesRows, subscriptionRows } from '../../simulators/store/account.ts';
import { makeKey } from '../../simulators/store/auth.ts';
import type { KeyTrouble } from '../../simulators/store/server.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg } from '../../support/service.ts';
import { collectAll, NOON, placeConnection, startStoreSuite } from '../../support/store.ts';

const database = await testDatabase();
const suite = await startStoreSuite(database, { retentionDays: 30 });
const { account } = suite.store;
const LAST_DAY = '2026-07-14';
const COUNTS = ['paid', 'trials', 'marketingOptIns', 'gracePeriod', 'billingRetry'] as const;
type Counts = Record<(typeof COUNTS)[number], number>;

afterEach(() => {
  suite.setNow(NOON);
  account.days.clear();
  account.trouble.clear();
  account.versions.SUBSCRIPTION = '1_4';
});

/** With a key of its own: a token that was made later is none yet when the clock goes back. */
async function collected(trouble?: KeyTrouble) {
  const key = makeKey(crypto.randomUUID(), crypto.randomUUID().slice(0, 10));
  account.keys.splice(0, 1, key);
  if (trouble) account.trouble.set(key.keyId, trouble);
  const org = await createTestOrg(suite);
  await placeConnection(suite, org.orgId);
  await upsertStoreApps(
    suite.deps.sql,
    org.orgId,
    account.apps.map(({ id, name, bundleId, sku }) => ({ storeAppId: id, name, bundleId, sku })),
  );
  await collectAll(suite, org.orgId);
  return org;
}
type Org = Awaited<ReturnType<typeof collected>>;
const ask = (org: Org, query = '') =>
  suite.call(`/v1/store/subscriptions${query}`, { headers: org.key });

/* The counts a second time, out of the rows that the store sends, in plain loops. */
const nobody = (): Counts =>
  Object.fromEntries(COUNTS.map((name) => [name, 0])) as unknown as Counts;
type Row = Record<string, string | undefined>;
function countsOf(row: Row): Counts {
  const counts = nobody();
  for (const [column, cell] of Object.entries(row)) {
    if (!cell) continue;
    if (column === 'Active Standard Price Subscriptions') counts.paid += Number(cell);
    else if (column === 'Marketing Opt-Ins') counts.marketingOptIns += Number(cell);
    else if (column === 'Billing Retry') counts.billingRetry += Number(cell);
    else if (column === 'Grace Period') counts.gracePeriod += Number(cell);
    else if (/free trial/i.test(column)) counts.trials += Number(cell);
    else if (/pay (up front|as you go)/i.test(column)) counts.paid += Number(cell);
  }
  return counts;
}
function summed(rows: readonly Row[], keyOf: (row: Row) => string): Record<string, Counts> {
  const sums: Record<string, Counts> = {};
  for (const row of rows) {
    const counts = countsOf(row);
    if (COUNTS.every((name) => counts[name] === 0)) continue;
    sums[keyOf(row)] ??= nobody();
    for (const name of COUNTS) sums[keyOf(row)]![name] += counts[name];
  }
  return sums;
}
const pick = (row: Counts): Counts =>
  Object.fromEntries(COUNTS.map((name) => [name, row[name]])) as unknown as Counts;
const keyed = <T extends Counts>(rows: readonly T[], keyOf: (row: T) => string) =>
  Object.fromEntries(rows.map((row) => [keyOf(row), pick(row)]));
const all = () => 'all';

describe('subscriptions as the store reports them', async () => {
  const org = await collected();

  test('are those of the reports, added up by hand', async () => {
    const { status, body } = await ask(org, '?days=14');
    expect(status).toBe(200);
    expect(body.window).toEqual({ from: '2026-07-01', to: LAST_DAY, days: 14 });
    expect(body.through).toBe(LAST_DAY);
    for (const { day, covered, ...counts } of body.series) {
      expect(covered).toBe(true);
      expect(counts).toEqual(
        summed(subscriptionRows(account.seed, account.apps, day), all).all as any,
      );
    }
    const rows = subscriptionRows(account.seed, account.apps, LAST_DAY) as Row[];
    expect(body.latest).toEqual(summed(rows, all).all);
    expect(keyed(body.byProduct, (row: any) => row.subscriptionId)).toEqual(
      summed(rows, (row) => row['Subscription Apple ID']!),
    );
    expect(keyed(body.byCountry, (row: any) => row.key)).toEqual(
      summed(rows, (row) => row.Country!),
    );
    const decimals = (currency: string) =>
      ['JPY', 'KRW', 'CLP', 'VND'].includes(currency) ? 0 : 2;
    const minor = (amount: string, currency: string) =>
      Math.round(Number(amount) * 10 ** decimals(currency));
    expect(
      keyed(body.byPrice, (row: any) =>
        [
          row.subscriptionId,
          row.country,
          row.currency,
          row.customerPriceMinor,
          row.proceedsMinor,
          row.preservedPrice,
        ].join(' '),
      ),
    ).toEqual(
      summed(rows, (row) =>
        [
          row['Subscription Apple ID'],
          row.Country,
          row['Customer Currency'],
          minor(row['Customer Price']!, row['Customer Currency']!),
          minor(row['Developer Proceeds']!, row['Proceeds Currency']!),
          row['Preserved Pricing'] === 'Yes',
        ].join(' '),
      ),
    );
    expect(body.omitted).toBe(0);
    const byOffer = body.byOffer.reduce((sum: number, row: Counts) => sum + row.paid, 0);
    expect(byOffer).toBe(body.latest.paid);
    for (const name of COUNTS) expect([name, body.latest[name] > 0]).toEqual([name, true]);
  });

  test('name the product id where sales do', async () => {
    const { body } = await ask(org);
    const sold = new Map(
      Array.from({ length: 29 }, (_, index) =>
        new Date(Date.parse(LAST_DAY) - index * 86_400_000).toISOString().slice(0, 10),
      ).flatMap((day) =>
        salesRows(account.seed, account.apps, day).map(
          (row) => [row['Apple Identifier']!, row.SKU!] as const,
        ),
      ),
    );
    for (const row of body.byProduct) expect(row.sku).toBe(sold.get(row.subscriptionId) ?? null);
    expect(body.byProduct.some(({ sku }: { sku: string | null }) => sku !== null)).toBe(true);
  });

  test('are told of one app, country and subscription', async () => {
    const rows = subscriptionRows(account.seed, account.apps, LAST_DAY) as Row[];
    const [first] = rows;
    const appId = first!['App Apple ID']!;
    const of = (test: (row: Row) => boolean) => summed(rows.filter(test), all).all ?? nobody();
    const latest = async (query: string) => (await ask(org, query)).body.latest;
    expect(await latest(`?storeAppId=${appId}`)).toEqual(
      of((row) => row['App Apple ID'] === appId),
    );
    expect(await latest(`?country=${first!.Country!.toLowerCase()}`)).toEqual(
      of((row) => row.Country === first!.Country),
    );
    const id = first!['Subscription Apple ID']!;
    expect(await latest(`?subscriptionId=${id}&storeAppId=${appId}`)).toEqual(
      of((row) => row['Subscription Apple ID'] === id),
    );
    expect(await latest('?country=AQ')).toEqual(nobody());
    expect((await ask(org, '?storeAppId=1')).body.error.code).toBe('store_app_not_found');
    expect((await ask(org, '?country=USA')).status).toBe(400);
    expect((await ask(org, '?days=401')).status).toBe(400);
  });

  test('belong to their organization', async () => {
    const other = await createTestOrg(suite);
    const { body } = await suite.call('/v1/store/subscriptions?days=2', { headers: other.key });
    expect(body).toMatchObject({ through: null, latest: null, byProduct: [], byPrice: [] });
    expect(body.freshness.state).toBe('unchecked');
    const [app] = account.apps;
    const foreign = await suite.call(`/v1/store/subscriptions?storeAppId=${app!.id}`, {
      headers: other.key,
    });
    expect(foreign.status).toBe(404);
  });
});

describe('days of the snapshot', () => {
  test('that are not published yet leave the day before as the newest', async () => {
    account.days.set(`SUBSCRIPTION ${LAST_DAY}`, 'not_yet');
    const org = await collected();
    const { body } = await ask(org, '?days=3');
    expect(body.through).toBe('2026-07-13');
    expect(body.series.map((row: any) => row.covered)).toEqual([true, true, false]);
    expect(body.freshness).toMatchObject({ state: 'awaiting', daysBehind: 1, gaps: 0 });
    account.days.clear();
    suite.setNow(new Date(NOON.getTime() + 31 * 60_000));
    await collectAll(suite, org.orgId);
    expect((await ask(org, '?days=3')).body.through).toBe(LAST_DAY);
  });

  test('that cannot be read are gaps, and filled when they can', async () => {
    account.days.set('SUBSCRIPTION 2026-07-10', [{ 'App Apple ID': '1', Country: 'US' }]);
    const bad = { 'Active Standard Price Subscriptions': 'many', 'Customer Currency': 'USD' };
    account.days.set('SUBSCRIPTION 2026-07-11', [{ 'App Apple ID': '1', Country: 'US', ...bad }]);
    const org = await collected();
    const { body } = await ask(org, '?days=7');
    const covered = new Map(body.series.map((row: any) => [row.day, row.covered]));
    expect(covered.get('2026-07-10')).toBe(true);
    expect(covered.get('2026-07-11')).toBe(false);
    expect(body.freshness.gaps).toBe(1);
    expect(body.freshness.lastError).toContain('SUBSCRIPTION 2026-07-11');
    account.days.clear();
    suite.setNow(new Date(NOON.getTime() + 24 * 3_600_000));
    await collectAll(suite, org.orgId);
    expect((await ask(org, '?days=7')).body.freshness.gaps).toBe(0);
  });

  test('that are corrected are replaced whole', async () => {
    const org = await collected();
    const rows = subscriptionRows(account.seed, account.apps, LAST_DAY);
    account.days.set(`SUBSCRIPTION ${LAST_DAY}`, rows.slice(1));
    suite.setNow(new Date(NOON.getTime() + 24 * 3_600_000));
    await collectAll(suite, org.orgId);
    const { body } = await ask(org, `?from=${LAST_DAY}&to=${LAST_DAY}`);
    expect(body.latest).toEqual(summed(rows.slice(1) as Row[], all).all);
  });

  test('are collected in the version that the store wants', async () => {
    account.versions.SUBSCRIPTION = '1_3';
    const org = await collected();
    const { body } = await ask(org);
    expect(body.through).toBe(LAST_DAY);
    const told = summed(subscriptionRows(account.seed, account.apps, LAST_DAY) as Row[], all).all!;
    expect(body.latest.gracePeriod).toBe(told.gracePeriod);
  });

  test('are left out for a key that may not read them, and sales go on', async () => {
    const org = await collected('no_subscriptions');
    const { body } = await ask(org);
    expect(body).toMatchObject({ through: null, latest: null });
    expect(body.freshness.lastError).toContain('may not read subscription reports');
    const sales = await suite.call('/v1/analytics', { headers: org.key });
    expect(sales.body.freshness.state).toBe('ready');
  });
});
