import { afterAll, expect, test } from 'bun:test';
import { RECORDS } from '../../../../src/sql/queries.ts';
import { salesRows } from '../../../../src/lake/tables/facts-queries.ts';
import { readPlayReports } from '../../../../src/modules/sales/index.ts';
import { createPlayReports } from '../../../../src/providers/play-reports/client.ts';
import { startPlayReports } from '../../../simulators/play-reports/server.ts';
import {
  installsCsv,
  REPORTS_ACCOUNT,
  salesZip,
  trustReportsAccount,
} from '../../../support/play-reports.ts';
import { testDatabase } from '../../../support/postgres.ts';
import { createTestApp, createTestOrg } from '../../../support/service.ts';
import { collectAll, NOON, placeConnection, startStoreSuite } from '../../../support/store.ts';

const clock = () => NOON;
const reports = await startPlayReports(clock);
afterAll(() => reports.stop());
trustReportsAccount(reports);
const suite = await startStoreSuite(
  await testDatabase(),
  { retentionDays: 40 },
  {
    with: () => ({
      playReports: createPlayReports({
        baseUrl: reports.url,
        tokenUrl: `${reports.url}/token`,
        clock,
      }),
    }),
  },
);
const org = await createTestOrg(suite);
const bucket = 'pubsite_prod_000000000077';
const FOCUS = 'com.example.focus';
const BUYER = { country: 'US', currency: 'USD', price: '8.00', charged: '8.80' };
const days = ['2026-06-20', '2026-07-01', '2026-07-02'];
const orders = days.map((day, index) => ({
  ...BUYER,
  ...{ id: `GPA.${index}`, at: `${day}T12:00:00Z`, package: FOCUS, sku: 'pro' },
  type: 'subscription' as const,
}));
const ofMonth = (month: string) => orders.filter(({ at }) => at.startsWith(month));
for (const month of ['2026-06', '2026-07']) {
  const name = `sales/salesreport_${month.replace('-', '')}.zip`;
  reports.write(bucket, name, salesZip(month, ofMonth(month)), NOON);
}
const installs = installsCsv([{ day: '2026-07-02', package: FOCUS, country: 'US', installs: 40 }]);
reports.write(bucket, `stats/installs/installs_${FOCUS}_202607_country.csv`, installs, NOON);

await placeConnection(suite, org.orgId);
await collectAll(suite, org.orgId);
const app = await createTestApp(suite, org.orgId);
await suite.deps.sql`
  INSERT INTO play_connections (app_id, org_id, package_name, client_email, private_key_id,
    sealed_key, status, connected_at, last_verified_at)
  VALUES (${app.appId}, ${org.orgId}, ${FOCUS}, 'a@b', 'k', 'v1.none.x', 'connected', now(), now())`;
const body = { bucket, serviceAccount: REPORTS_ACCOUNT };
const put = await suite.call('/v1/store/google-play', { method: 'PUT', headers: org.key, body });
expect(put.status).toBe(200);
for (let isListed = false; ; isListed = true) {
  const round = await readPlayReports(suite.ctx, { orgId: org.orgId, isListed });
  if (!round.goesOn) break;
}

const ask = async (store: string, more = '') => {
  const query = `from=2026-06-15&to=2026-07-10&currency=USD${more}`;
  const answer = await suite.call(`/v1/analytics?${query}${store}`, { headers: org.key });
  expect(answer.status).toBe(200);
  return answer.body;
};
type Figures = Record<string, number>;
const summed = (one: Figures, other: Figures) =>
  Object.fromEntries(
    Object.entries(one)
      .filter(([, value]) => typeof value === 'number')
      .map(([name, value]) => [name, value + (other[name] ?? 0)]),
  );

test('both stores add up: totals, days, apps, countries, products', async () => {
  const [apple, google, all] = await Promise.all([
    ask(''),
    ask('&store=google_play'),
    ask('&store=all'),
  ]);
  expect(google.totals).toMatchObject({ proceedsMinor: 3 * 680, downloads: 40 });
  expect(apple.totals.proceedsMinor).toBeGreaterThan(0);
  expect(all.totals).toEqual(summed(apple.totals, google.totals));
  expect(all.previous).toEqual(summed(apple.previous, google.previous));
  for (const [index, day] of all.series.entries()) {
    const [one, other] = [apple.series[index], google.series[index]];
    expect(day).toEqual({
      day: one.day,
      covered: one.covered && other.covered,
      ...summed(one, other),
    });
  }
  const byName = (rows: { storeAppId: string }[]) =>
    rows.toSorted((one, other) => (one.storeAppId < other.storeAppId ? -1 : 1));
  expect(byName(all.byApp)).toEqual(byName([...apple.byApp, ...google.byApp]));
  expect(google.byApp).toMatchObject([{ storeAppId: FOCUS, appId: app.appId }]);
  expect(all.products).toHaveLength(apple.products.length + google.products.length);
  const us = (answer: { byCountry: { key: string }[] }) =>
    answer.byCountry.find(({ key }) => key === 'US') as unknown as Figures;
  expect(us(all)).toMatchObject(summed(us(apple), us(google)));
  expect(all.googlePlay).toEqual(google.googlePlay);
  expect('googlePlay' in apple).toBe(false);
});

test('an app of one store narrows the question for both to it', async () => {
  const all = await ask('&store=all', `&storeAppId=${FOCUS}`);
  expect(all.totals).toEqual((await ask('&store=google_play')).totals);
  const query = `/v1/analytics?storeAppId=${FOCUS}`;
  expect((await suite.call(query, { headers: org.key })).status).toBe(404);
});

test('one organization never sees the reports of another', async () => {
  const other = await createTestOrg(suite);
  const query = '/v1/analytics?store=google_play&from=2026-06-15&to=2026-07-10';
  const answer = await suite.call(query, { headers: other.key });
  expect(answer.body.totals.proceedsMinor).toBe(0);
  expect(answer.body.byApp).toEqual([]);
  expect(answer.body.freshness.state).toBe('unchecked');
});

test('analysts and the lake have the rows of both, with their store and app', async () => {
  const [rows] = await suite.deps.sql.unsafe(
    `SELECT json_agg(s) AS rows FROM (${RECORDS.sales}) s WHERE s.store = 'google_play'`,
    [org.orgId],
  );
  const fields = { app_id: app.appId, store_app_id: FOCUS };
  expect(rows?.rows).toHaveLength(4);
  for (const row of rows?.rows ?? []) expect(row).toMatchObject(fields);
  const published = [];
  for await (const page of salesRows(suite.deps.sql, '2026-07-01')) published.push(...page);
  const own = published.filter(({ vendor_number }) => vendor_number === `gs://${bucket}`);
  expect(own).toHaveLength(3);
  for (const row of own) expect(row).toMatchObject(fields);
  expect(published.length).toBeGreaterThan(own.length);
});
