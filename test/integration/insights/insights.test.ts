import { describe, expect, test } from 'bun:test';
import { upsertStoreApps } from '../../../src/modules/sales/collection/apps-queries.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg } from '../../support/service.ts';
import { collectAll, NOON, placeConnection, startStoreSuite } from '../../support/store.ts';

const suite = await startStoreSuite(await testDatabase(), { retentionDays: 70 });
const { call, deps } = suite;
await startTestQueries(deps);
const org = await createTestOrg(suite);
const headers = org.key;
const DAY_MS = 86_400_000;
const at = (daysAgo: number, seconds = 0) =>
  new Date(NOON.getTime() - daysAgo * DAY_MS + seconds * 1_000).toISOString();

type Sent = { name: string; ts: string; anonymousId: string };

const STEPS = ['app_opened', 'onboarding_completed', 'purchase_completed'].map((event) => ({
  event,
  label: event,
}));

async function newApp() {
  const app = await createTestApp(suite, org.orgId);
  const path = `/v1/apps/${app.appId}`;
  await call(`${path}/funnels`, { headers, body: { name: 'Main', steps: STEPS, isDefault: true } });
  const send = async (events: Sent[]) => {
    for (let start = 0; start < events.length; start += 100) {
      const body = { events: events.slice(start, start + 100), context: { platform: 'ios' } };
      expect((await call('/v1/events', { headers: app.device, body })).status).toBe(202);
    }
  };
  const insights = async (query = '') => (await call(`${path}/insights${query}`, { headers })).body;
  return { ...app, path, send, insights };
}

/** People who open the app; of each hundred, `through[0]` finish the onboarding, `through[1]` buy. */
function crowd(count: number, daysAgo: number, through: [number, number], prefix: string): Sent[] {
  return Array.from({ length: count }, (_, index) => {
    const anonymousId = `${prefix}-person-${index}`;
    const events = [{ name: 'app_opened', ts: at(daysAgo), anonymousId }];
    const rank = index % 100;
    if (rank < through[0]) {
      events.push({ name: 'onboarding_completed', ts: at(daysAgo, 60), anonymousId });
    }
    if (rank < through[1]) {
      events.push({ name: 'purchase_completed', ts: at(daysAgo, 120), anonymousId });
    }
    return events;
  }).flat();
}

const codes = (body: any) => body.recommendations.map((one: any) => one.code);

describe('insights', () => {
  test('an app without anything: no figures, nothing said', async () => {
    const { appId, insights } = await newApp();
    expect(await insights()).toMatchObject({
      appId,
      window: { from: '2026-06-15', to: '2026-07-14', days: 30 },
      store: null,
      funnel: { verdict: 'no_data', people: 0 },
      recommendations: [],
    });
  });

  test('the biggest leak, from people whose time to convert is over', async () => {
    const { send, insights } = await newApp();
    await send(crowd(400, 20, [30, 25], 'mature'));
    const body = await insights();
    expect(body.funnel).toMatchObject({ people: 400, verdict: 'ready' });
    const leak = body.recommendations.find((one: any) => one.code === 'biggest_leak');
    expect(leak).toMatchObject({ severity: 'info', step: 2, metric: { value: 0.3, unit: 'rate' } });
  });

  test('people who may still convert are shown and not judged', async () => {
    const { send, insights } = await newApp();
    await send(crowd(400, 3, [30, 25], 'fresh'));
    const body = await insights();
    expect(body.funnel.people).toBe(400);
    expect(codes(body)).not.toContain('biggest_leak');
  });

  test('conversion that falls beyond its interval', async () => {
    const { send, insights } = await newApp();
    // With 30 days and 14 to convert, 16 days are judged and held against the 16 before them.
    await send(crowd(600, 40, [95, 90], 'before'));
    await send(crowd(600, 20, [80, 72], 'now'));
    const body = await insights();
    const falling = body.recommendations.find((one: any) => one.code === 'conversion_falling');
    expect(falling).toMatchObject({ severity: 'warn', metric: { value: 0.72, unit: 'rate' } });
  });

  test('too few people', async () => {
    const { send, insights } = await newApp();
    await send(crowd(20, 20, [50, 20], 'few'));
    const body = await insights();
    expect(codes(body)).toEqual(['too_few_people']);
    expect(body.funnel.verdict).toBe('too_few_people');
    expect(body.funnel.overall.rate).toBeNull();
  });

  test('a paywall that comes before the onboarding is done', async () => {
    const { send, insights } = await newApp();
    const people = Array.from({ length: 120 }, (_, index) => `wall-person-${index}`);
    await send(
      people.flatMap((anonymousId) => [
        { name: 'app_opened', ts: at(20), anonymousId },
        { name: 'paywall_viewed', ts: at(20, 30), anonymousId },
        { name: 'onboarding_completed', ts: at(20, 60), anonymousId },
        { name: 'purchase_completed', ts: at(20, 90), anonymousId },
      ]),
    );
    expect(codes(await insights())).toEqual(['paywall_before_value']);
  });

  test("another organization's app is not found", async () => {
    const { path } = await newApp();
    const other = await createTestOrg(suite);
    expect((await call(`${path}/insights`, { headers: other.key })).status).toBe(404);
  });
});

describe('the store side', () => {
  test('figures of the linked app, equal to those of the analytics', async () => {
    const { appId, insights } = await newApp();
    const apps = suite.store.account.apps.map(({ id, name, bundleId, sku }) => ({
      storeAppId: id,
      name,
      bundleId,
      sku,
    }));
    await placeConnection(suite, org.orgId);
    await upsertStoreApps(deps.sql, org.orgId, apps);
    await collectAll(suite, org.orgId);
    const storeAppId = apps[0]!.storeAppId;
    await call('/v1/store/apps/link', { headers, body: { storeAppId, appId } });

    const analytics = (await call('/v1/analytics?days=30', { headers })).body;
    const row = analytics.byApp.find((one: any) => one.storeAppId === storeAppId);
    const { store } = await insights();
    expect(store).toMatchObject({
      downloads: row.downloads,
      subscriptionUnits: row.subscriptionUnits,
      iapUnits: row.iapUnits,
      proceedsMinor: row.proceedsMinor,
      currency: 'USD',
    });
    expect(store.downloads).toBeGreaterThan(0);
    expect(store.downloadToPaid).toBeCloseTo(
      (row.subscriptionUnits + row.iapUnits) / row.downloads,
      10,
    );
  });

  test('nothing for an app that is not linked', async () => {
    const { insights } = await newApp();
    expect((await insights()).store).toBeNull();
  });
});
