import { describe, expect, test } from 'bun:test';
import { readRecords } from '../../../src/sql/queries.ts';
import { METRICS, type Metrics } from '../../../src/modules/sales/analytics/metrics.ts';
import { createSalesFigures } from '../../../src/modules/sales/analytics/sales-figures.ts';
import { upsertStoreApps } from '../../../src/modules/sales/collection/apps-queries.ts';
import { importRates } from '../../../src/modules/sales/rates/import.ts';
import { addDays } from '../../../src/shared/pacific.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestKey, createTestOrg } from '../../support/service.ts';
import { collectAll, placeConnection, startStoreSuite } from '../../support/store.ts';

const database = await testDatabase();
const suite = await startStoreSuite(database, { retentionDays: 70 });
/** Another process that keeps no figures of earlier reads. */
const forgetful = await startStoreSuite(
  database,
  { retentionDays: 70 },
  {
    with: ({ sql, rates }) => ({
      salesFigures: { read: (input) => createSalesFigures(sql, rates).read(input) },
    }),
  },
);
const { sql } = database;
const org = await createTestOrg(suite);
const apps = suite.store.account.apps.map(({ id, name, bundleId, sku }) => ({
  storeAppId: id,
  name,
  bundleId,
  sku,
}));
const get = async (query = '', headers: Record<string, string> = org.key) =>
  (await suite.call(`/v1/analytics${query}`, { headers })) as {
    status: number;
    body: any;
  };
const sum = (rows: readonly Metrics[], name: (typeof METRICS)[number]) =>
  rows.reduce((total, row) => total + row[name], 0);
const PARTS = [
  'series',
  'seriesByApp',
  'byApp',
  'byCountry',
  'byDevice',
  'byKind',
  'byProductType',
  'products',
];

describe('before anything is connected', () => {
  test('everything is zero and nothing is covered', async () => {
    const { status, body } = await get('?days=3');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      currency: 'USD',
      yesterday: null,
      byApp: [],
      currencies: [],
      daysMissingRates: 0,
      window: { from: '2026-07-12', to: '2026-07-14', days: 3 },
    });
    expect(body.freshness.state).toBe('unchecked');
    expect(body.series.map((one: { covered: boolean }) => one.covered)).toEqual([
      false,
      false,
      false,
    ]);
    expect(METRICS.every((name) => body.totals[name] === 0)).toBe(true);
  });

  test.each([
    '?days=0',
    '?days=401',
    '?days=1.5',
    '?from=2026-02-30',
    '?from=2026-07-02&to=2026-07-01',
    '?days=3&from=2026-07-01',
    '?from=2025-01-01&to=2026-07-01',
    '?from=0001-01-01&to=0001-01-01',
    '?from=0000-01-01&to=0000-01-01',
    '?from=9999-12-01&to=9999-12-31',
    '?currency=EURO',
    '?currency=CLP',
  ])('%s is refused', async (query) => {
    const { status, body } = await get(query);
    expect([status, body.error.code]).toEqual([400, 'invalid_input']);
    expect(body.error.hint).toBeTruthy();
  });

  test('a currency may be written in any case', async () => {
    const { status, body } = await get('?days=3&currency=eUr');
    expect([status, body.currency]).toEqual([200, 'EUR']);
  });

  test('it needs the permission to read analytics', async () => {
    expect((await get('', await createTestKey(suite, org, ['app:read']))).status).toBe(403);
    expect((await get('', {})).status).toBe(401);
  });
});

describe('collected sales', () => {
  test('add up in every window and currency', async () => {
    await placeConnection(suite, org.orgId);
    await upsertStoreApps(sql, org.orgId, apps);
    await collectAll(suite, org.orgId);
    for (const query of [
      '',
      '?days=1',
      '?days=70&currency=EUR',
      '?from=2026-06-01&to=2026-06-17&currency=JPY',
    ]) {
      const { body } = await get(query);
      for (const part of PARTS) {
        for (const name of METRICS) {
          expect([query, part, name, sum(body[part], name)]).toEqual([
            query,
            part,
            name,
            body.totals[name],
          ]);
        }
      }
      expect(body.totals.downloads).toBeGreaterThan(0);
    }
  });

  test('native money is that of the reports, exactly', async () => {
    const { body } = await get('?days=60');
    const rows = await sql<{ currency: string; minor: string }[]>`
      SELECT proceeds_currency AS currency,
        (sum(proceeds) * CASE WHEN proceeds_currency IN ('JPY', 'KRW', 'CLP', 'VND') THEN 1 ELSE 100 END)::bigint::text AS minor
      FROM store_facts WHERE org_id = ${org.orgId} AND day >= ${addDays('2026-07-15', -60)}
      GROUP BY proceeds_currency HAVING sum(proceeds) <> 0 ORDER BY 1`;
    expect(body.currencies).toEqual(
      rows.map(({ currency, minor }) => ({ currency, proceedsMinor: Number(minor) })),
    );
    expect(body.unconverted.length).toBeGreaterThan(2);
    expect(body.daysMissingRates).toBeGreaterThan(0);
  });

  test('yesterday and the previous window are told beside', async () => {
    const { body } = await get('?days=10');
    const last = body.series.at(-1);
    expect(body.yesterday).toEqual(last);
    const before = await get('?from=2026-06-25&to=2026-07-04');
    expect(before.body.window).toMatchObject({ days: 10 });
    expect(body.previous).toEqual(before.body.totals);
  });

  test('the view of sales tells credits of bundles from refunds, and has as many of these as the figures', async () => {
    type Sale = { report_type: string; units: string; is_bundle_credit: boolean };
    const negative: Sale[] = [];
    const isSale = (row: object): row is Sale => 'units' in row && 'is_bundle_credit' in row;
    for await (const rows of readRecords(sql, 'sales', org.orgId)) {
      negative.push(...rows.filter(isSale).filter(({ units }) => Number(units) < 0));
    }
    const unitsOf = (rows: readonly Sale[]) =>
      rows.reduce((total, { units }) => total - Number(units), 0);
    const credits = negative.filter((row) => row.is_bundle_credit);
    const { body } = await get('?days=400');
    expect(unitsOf(credits)).toBeGreaterThan(0);
    expect(body.totals.refunds).toBeGreaterThan(0);
    expect(unitsOf(negative) - unitsOf(credits)).toBe(body.totals.refunds);
  });

  test('days that are not known are beside the totals that lack them, and change is against most days', async () => {
    const { body } = await get('?days=10');
    expect(body.missing.days).toEqual([]);
    expect([body.previousMissing.days, body.isComparable]).toEqual([[], true]);
    // Ten days of which the store told, and before them as many of which it never told anything.
    const from = body.freshness.coveredFrom;
    const first = (await get(`?from=${from}&to=${addDays(from, 9)}`)).body;
    const unknown = Array.from({ length: 10 }, (_, index) => addDays(from, index - 10));
    expect([first.missing.days, first.previousMissing.days]).toEqual([[], unknown]);
    expect(first.isComparable).toBe(false);
    const mixed = (await get(`?from=${addDays(from, -4)}&to=${addDays(from, 5)}`)).body;
    expect(mixed.missing.days).toEqual(unknown.slice(-4));
    expect(mixed.missing.days).toEqual(
      mixed.series.flatMap((row: any) => (row.covered ? [] : [row.day])),
    );
    const rest = (await get(`?from=${addDays(from, 6)}&to=${addDays(from, 15)}`)).body;
    expect([rest.previousMissing.days, rest.isComparable]).toEqual([unknown.slice(-4), true]);
  });

  test('an app that is not in the account any more is unattributed until it is known', async () => {
    const [gone] = apps;
    await sql`DELETE FROM store_apps WHERE org_id = ${org.orgId} AND store_app_id = ${gone!.storeAppId}`;
    const without = (await get()).body;
    const unattributed = without.byApp.find((one: any) => one.storeAppId === 'unattributed');
    expect(unattributed).toMatchObject({ label: 'Not attributed to an app', appId: null });
    await upsertStoreApps(sql, org.orgId, apps);
    const known = (await get()).body;
    expect(known.totals).toEqual(without.totals);
    expect(known.byApp.some((one: any) => one.storeAppId === 'unattributed')).toBe(false);
  });

  test('a rate that comes later changes the days that can use it, and no others', async () => {
    const before = (await get('?from=2026-07-01&to=2026-07-10&currency=EUR')).body;
    const file = Buffer.from('Date,USD,CLP\n2026-07-06,2.0,1000\n');
    await importRates(suite.deps, { file, source: 'test' });
    const after = (await get('?from=2026-07-01&to=2026-07-10&currency=EUR')).body;
    const changed = after.series
      .filter((one: any, index: number) => one.proceedsMinor !== before.series[index].proceedsMinor)
      .map((one: any) => one.day);
    expect(changed[0]).toBe('2026-07-06');
    expect(after.series.slice(0, 5)).toEqual(before.series.slice(0, 5));
    expect(after.totals.unconvertedProceedsMinor).toBeLessThan(
      before.totals.unconvertedProceedsMinor,
    );
  });

  test('day sums of the previous release are neither read nor written', async () => {
    const kept = (await get('?days=60')).body;
    await sql`
      INSERT INTO analytics_days (org_id, vendor_number, currency, day, stamp, partial)
      SELECT org_id, vendor_number, 'USD', day, 'old', '{}' FROM store_days
      WHERE org_id = ${org.orgId} AND report_type = 'SALES'`;
    const before = [...(await sql`SELECT * FROM analytics_days ORDER BY day`)];
    expect((await get('?days=60')).body).toEqual(kept);
    expect([...(await sql`SELECT * FROM analytics_days ORDER BY day`)]).toEqual(before);
  });

  test('packed rows are made anew when they are lost, old or of another release', async () => {
    const packs = async () => [
      ...(await sql`SELECT day, report_type, facts_revision, pack FROM analytics_packs
        WHERE org_id = ${org.orgId} ORDER BY day, report_type`),
    ];
    const kept = (await get('?days=60')).body;
    const before = await packs();
    expect(before.length).toBeGreaterThan(60);
    for (const spoil of [
      () => sql`DELETE FROM analytics_packs WHERE org_id = ${org.orgId}`,
      () => sql`UPDATE analytics_packs SET facts_revision = 1, pack = '{}'`,
      () => sql`UPDATE analytics_packs SET pack = '{"format": 0}'`,
    ]) {
      await spoil();
      const { body } = await forgetful.call('/v1/analytics?days=60', { headers: org.key });
      expect(body).toEqual(kept);
    }
    const read = (row: (typeof before)[number]) => row.day >= before.at(-60)!.day;
    expect((await packs()).filter(read)).toEqual(before.filter(read));
  });

  test('figures are folded once for each state of their rows, rates and apps', async () => {
    const first = (await get('?days=50')).body;
    await sql`UPDATE analytics_packs SET pack = jsonb_set(pack::jsonb, '{sold}', '[]')
      WHERE org_id = ${org.orgId}`;
    expect((await get('?days=50')).body).toEqual(first);
    await sql`DELETE FROM analytics_packs WHERE org_id = ${org.orgId}`;
    await sql`UPDATE store_days SET facts_revision = nextval('store_fact_revisions')
      WHERE org_id = ${org.orgId} AND day = '2026-07-10'`;
    expect((await get('?days=50')).body).toEqual(first);
    const remade = await sql`SELECT 1 FROM analytics_packs WHERE org_id = ${org.orgId}`;
    expect(remade.length).toBeGreaterThan(50);
  });
});

describe('apps of the store', () => {
  const link = (body: object) => suite.call('/v1/store/apps/link', { body, headers: org.key });
  const app = async (id: string) => (await suite.call(`/v1/apps/${id}`, { headers: org.key })).body;
  const [first, second] = apps;

  test('refreshing brings states and icons', async () => {
    suite.store.account.apps[1]!.versions = [
      {
        platform: 'IOS',
        versionString: '2.0',
        appVersionState: 'IN_REVIEW',
        createdDate: '2026-07-01T00:00:00Z',
      },
    ];
    const refreshed = await suite.call('/v1/store/apps/refresh', {
      method: 'POST',
      headers: org.key,
    });
    expect(refreshed.body).toEqual({ count: 5 });
    const { body } = await suite.call('/v1/store/apps', { headers: org.key });
    const states = new Map(body.map((one: any) => [one.storeAppId, one.storeState]));
    expect(states.get(first!.storeAppId)).toBe('live');
    expect(states.get(second!.storeAppId)).toBe('in_review');
  });

  test('linking copies what the store knows, unlinking takes it back', async () => {
    const { appId } = await createTestApp(suite, org.orgId);
    const { storeAppId } = first!;
    expect((await link({ storeAppId, appId })).body).toEqual({ linked: true });
    expect(await app(appId)).toMatchObject({
      bundleId: first!.bundleId,
      storeAppId,
      store: { state: 'live', version: '1.4' },
    });
    expect((await app(appId)).iconUrl).toContain('mzstatic.com');
    expect((await get()).body.byApp.find((one: any) => one.key === storeAppId).appId).toBe(appId);
    expect((await link({ storeAppId: second!.storeAppId, appId })).body).toEqual({ linked: true });
    expect(await app(appId)).toMatchObject({ bundleId: second!.bundleId });
    expect((await link({ storeAppId: second!.storeAppId, appId: null })).body).toEqual({
      linked: false,
    });
    expect(await app(appId)).toMatchObject({
      bundleId: null,
      storeAppId: null,
      iconUrl: null,
      store: null,
    });
  });

  test('an app deleted from the store is removed, keeps its link and its sales', async () => {
    const { appId } = await createTestApp(suite, org.orgId);
    const [, , third] = apps;
    await link({ storeAppId: third!.storeAppId, appId });
    const refresh = () =>
      suite.call('/v1/store/apps/refresh', { method: 'POST', headers: org.key });
    const simulated = suite.store.account.apps[2]!;
    const before = (await get()).body.byApp;
    simulated.deleted = true;
    expect((await refresh()).body).toEqual({ count: 4 });
    expect((await app(appId)).store.state).toBe('removed');
    const { body } = await suite.call('/v1/store/apps', { headers: org.key });
    expect(body.find((one: any) => one.storeAppId === third!.storeAppId)).toMatchObject({
      appId,
      storeState: 'removed',
    });
    expect((await get()).body.byApp).toEqual(before);
    simulated.deleted = false;
    await refresh();
    expect((await app(appId)).store.state).toBe('live');
  });

  test('only what is there can be linked', async () => {
    const { appId } = await createTestApp(suite, org.orgId);
    const other = await createTestOrg(suite);
    const theirs = await createTestApp(suite, other.orgId);
    expect((await link({ storeAppId: '1', appId })).body.error.code).toBe('store_app_not_found');
    expect((await link({ storeAppId: first!.storeAppId, appId: theirs.appId })).status).toBe(404);
    expect((await link({ storeAppId: first!.storeAppId })).status).toBe(400);
  });

  test('importing makes an app of one, once, under a free slug', async () => {
    const import_ = () =>
      suite.call('/v1/apps/import', { body: { storeAppId: first!.storeAppId }, headers: org.key });
    const answers = await Promise.all([import_(), import_(), import_()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const made = answers.find(({ status }) => status === 201)!.body;
    expect(made).toMatchObject({
      slug: 'focus-timer',
      displayName: 'Focus Timer',
      source: 'imported',
      region: 'us-east-1',
      bundleId: first!.bundleId,
      storeAppId: first!.storeAppId,
      status: 'provisioning',
    });
    await suite.call(`/v1/apps/${made.id}`, { method: 'DELETE', headers: org.key });
    const links = (await suite.call('/v1/store/apps', { headers: org.key })).body;
    expect(links.find((one: any) => one.storeAppId === first!.storeAppId).appId).toBeNull();
    await suite.call('/v1/apps', {
      body: { slug: 'focus-timer', displayName: 'x' },
      headers: org.key,
    });
    expect((await import_()).body.slug).toBe('focus-timer-2');
  });

  test('nothing is imported that is not there', async () => {
    const absent = await suite.call('/v1/apps/import', {
      body: { storeAppId: '1' },
      headers: org.key,
    });
    expect([absent.status, absent.body.error.code]).toEqual([404, 'store_app_not_found']);
    const other = await createTestOrg(suite);
    const none = await suite.call('/v1/apps/import', {
      body: { storeAppId: first!.storeAppId },
      headers: other.key,
    });
    expect(none.status).toBe(404);
  });

  test('refreshing says what the store says', async () => {
    const refresh = (headers: Record<string, string>) =>
      suite.call('/v1/store/apps/refresh', { method: 'POST', headers });
    const other = await createTestOrg(suite);
    expect((await refresh(other.key)).body.error.code).toBe('store_not_connected');
    const { keyId } = suite.store.account.keys[0]!;
    for (const [trouble, code] of [
      ['revoked', 'store_credentials_rejected'],
      ['agreement', 'store_agreement_required'],
      ['rate_limited', 'store_rate_limited'],
    ] as const) {
      suite.store.account.trouble.set(keyId, trouble);
      expect((await refresh(org.key)).body.error.code).toBe(code);
    }
    suite.store.account.trouble.clear();
  });
});
