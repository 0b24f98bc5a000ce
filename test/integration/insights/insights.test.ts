import { describe, expect, spyOn, test } from 'bun:test';
import { getInsights } from '../../../src/modules/insights/get.ts';
import { link, upsertStoreApps } from '../../../src/modules/sales/collection/apps-queries.ts';
import { insertFacts, upsertDay } from '../../../src/modules/sales/days/queries.ts';
import type { SalesFact } from '../../../src/providers/store/port.ts';
import { withApp } from '../../../src/shared/app.ts';
import { eachDay } from '../../../src/shared/pacific.ts';
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

const PAID = { customerSpend: '10', proceeds: '7' };
const COINS = { storeId: '555', sku: 'coins', parentSku: 'FOCUS', productType: 'IA1', ...PAID };
const PRO = { storeId: '777', sku: 'pro', parentSku: 'FOCUS', productType: 'IAY', ...PAID };

type SoldOn = { isNow: boolean; sold: (change: Partial<SalesFact>) => SalesFact };

/** An app of an organization of its own, with sales on each of the last 60 days but some. */
async function soldApp(rows: (on: SoldOn) => SalesFact[], missing = new Set<string>()) {
  const own = await createTestOrg(suite);
  const app = await createTestApp(suite, own.orgId);
  const path = `/v1/apps/${app.appId}`;
  await call(`${path}/funnels`, {
    headers: own.key,
    body: { name: 'Main', steps: STEPS, isDefault: true },
  });
  await placeConnection(suite, own.orgId);
  const store = { storeAppId: '900', name: 'Focus', bundleId: 'com.example.focus', sku: 'FOCUS' };
  await upsertStoreApps(deps.sql, own.orgId, [store]);
  const scope = { orgId: own.orgId, vendorNumber: suite.store.account.vendorNumber };
  await deps.sql.begin(async (tx) => {
    await link(tx, own.orgId, { storeAppId: '900', appId: app.appId, at: NOON });
    for (const day of eachDay('2026-05-16', '2026-07-14')) {
      if (missing.has(day)) continue;
      const sold = (change: Partial<SalesFact>): SalesFact => ({
        ...{
          line: 0,
          storeId: '900',
          parentStoreId: null,
          sku: 'FOCUS',
          parentSku: null,
        },
        ...{ title: 'Focus', productType: '1F', country: 'US', device: 'iPhone', units: '1' },
        ...{ bundleCredit: false, isRenewal: null, trials: 0, proceeds: '0', customerSpend: '0' },
        ...{ proceedsCurrency: 'USD', customerCurrency: 'USD' },
        ...change,
      });
      const facts = rows({ isNow: day >= '2026-06-15', sold }).map((fact, line) => ({
        ...fact,
        line,
      }));
      const sales = { ...scope, reportType: 'SALES', day } as const;
      await insertFacts(tx, sales, facts);
      await upsertDay(tx, sales, {
        state: 'reported',
        checkedAt: NOON,
        emptySeenAt: null,
        lastError: null,
        facts: { contentHash: day, rows: facts.length },
      });
    }
  });
  const send = async (events: Sent[]) => {
    for (let start = 0; start < events.length; start += 100) {
      const body = { events: events.slice(start, start + 100), context: { platform: 'ios' } };
      expect((await call('/v1/events', { headers: app.device, body })).status).toBe(202);
    }
  };
  const insights = async (query = '') =>
    (await call(`${path}/insights${query}`, { headers: own.key })).body;
  return { send, insights, scope: { orgId: own.orgId, appId: app.appId } };
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
    // The onboarding explains it: one fall is said once.
    expect(codes(body)).toEqual(['biggest_leak']);
    const [falling] = body.recommendations;
    expect(falling).toMatchObject({ severity: 'act', step: 2, metric: { value: 0.8 } });
    expect(falling.detail).toEndWith('Of all people 72.0 % came through, after 90.0 %.');
    expect(body.judged).toMatchObject({
      window: { from: '2026-06-15T07:00:00.000Z', to: '2026-07-01T18:00:00.000Z' },
      people: 600,
      overall: { rate: 0.72 },
      previous: { people: 600, overall: { rate: 0.9 } },
    });
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
    expect(store.downloadToPaid).toBeCloseTo(store.newSubscriptionUnits / row.downloads, 10);
    expect(store.newSubscriptionUnits).toBeLessThan(row.subscriptionUnits);
    expect(store.refunds).toBe(row.refunds);
  });

  test('an app of three days with people in its funnel is not told that nobody enters it', async () => {
    const { insights, send } = await soldApp(({ sold }) => [sold({ units: '16' })]);
    await send(crowd(137, 2, [70, 4], 'young'));
    const body = await insights();
    expect(body.store.downloads).toBe(480);
    expect(body.funnel.people).toBe(137);
    expect(body.judged.people).toBe(0);
    expect(body.recommendations).toEqual([]);
  });

  test('refunds are held against what they are refunds of', async () => {
    const { insights } = await soldApp(({ sold, isNow }) => [
      sold({ units: '4', customerSpend: '11.96', proceeds: '8.4' }),
      sold({ units: '2', ...COINS }),
      ...(isNow ? [sold({ units: '-1', customerSpend: '-2.99', proceeds: '-2.1' })] : []),
    ]);
    const body = await insights();
    expect(body.store).toMatchObject({ paidUnits: 180, refunds: 30, previousPaidUnits: 180 });
    const rising = body.recommendations.find((one: any) => one.code === 'refunds_rising');
    expect(rising.detail).toStartWith('30 refunds beside 180 paid units, after 0 beside 180');
    expect(rising.metric.value).toBeCloseTo(1 / 6, 10);
  });

  test('renewals are neither conversions nor sold without a trial', async () => {
    const { insights } = await soldApp(({ sold }) => [
      sold({ units: '10' }),
      sold({ units: '7', ...PRO, isRenewal: true }),
      sold({ units: '3', ...COINS }),
    ]);
    const body = await insights();
    expect(body.store).toMatchObject({
      downloads: 300,
      subscriptionUnits: 210,
      newSubscriptionUnits: 0,
      iapUnits: 90,
      downloadToPaid: 0,
    });
    expect(codes(body)).toEqual(['events_not_arriving']);
  });

  test('trials of Google Play are no share of the downloads of the App Store', async () => {
    const { insights, scope } = await soldApp(({ sold }) => [sold({ units: '1' })]);
    const began = async (store: string, id: string) =>
      deps.sql`
        INSERT INTO purchase_chains (app_id, org_id, store, environment, original_transaction_id,
          checked_at, trial_started_at)
        VALUES (${scope.appId}, ${scope.orgId}, ${store}, 'Production', ${id}, ${NOON},
          ${new Date(NOON.getTime() - 5 * DAY_MS)})`;
    await began('app_store', '2000000000001');
    for (let index = 0; index < 24; index += 1) await began('google_play', `gp_${index}`);
    expect((await insights()).store).toMatchObject({
      downloads: 30,
      trials: 1,
      downloadToTrial: 1 / 30,
    });
  });

  test('a missing day is said of the window that has it, and money without a rate beside the total', async () => {
    const AED = { customerCurrency: 'AED', proceedsCurrency: 'AED' };
    const { insights } = await soldApp(
      ({ sold }) => [sold({ units: '1', ...PRO, isRenewal: false, ...AED })],
      new Set(['2026-07-02', '2026-05-20']),
    );
    const body = await insights();
    expect(body.store.missingDays).toEqual(['2026-07-02']);
    expect(body.store.unconverted).toEqual([{ currency: 'AED', proceedsMinor: 29 * 700 }]);
    expect(codes(body)).toContain('store_days_missing');
    const week = await insights('?days=7');
    expect(week.store.missingDays).toEqual([]);
    expect(codes(week)).not.toContain('store_days_missing');
  });

  test('nothing for an app that is not linked', async () => {
    const { insights } = await newApp();
    expect((await insights()).store).toBeNull();
  });
});

test('read in the background asks for one part after the other, with the same answer', async () => {
  const { path, send, insights } = await newApp();
  await send(crowd(80, 10, [40, 10], 'calm'));
  const { body: app } = await call(path, { headers });
  const caller = { deps, requestId: 'test', orgId: org.orgId, actor: {} as never };
  const ctx = withApp(caller, app as never);
  const mostAtOnce = async (isInBackground: boolean, heldUntil: number) => {
    const asked = deps.queries.ask.bind(deps.queries) as (...args: any[]) => Promise<unknown>;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let [now, most] = [0, 0];
    const ask = spyOn(deps.queries, 'ask').mockImplementation((async (...args: any[]) => {
      now += 1;
      most = Math.max(most, now);
      if (most >= heldUntil) release();
      await released;
      return asked(...args).finally(() => {
        now -= 1;
      });
    }) as never);
    const answer = await getInsights(ctx, { isInBackground });
    ask.mockRestore();
    return { most, answer };
  };
  // Held until one more than a background read may ask: how quick each answer is does not matter.
  const [waiting, background] = [await mostAtOnce(false, 4), await mostAtOnce(true, 1)];
  expect(background.most).toBeLessThan(waiting.most);
  // The parts of a funnel: two windows and the paywall.
  expect(background.most).toBeLessThanOrEqual(3);
  expect(background.answer.judged).toEqual(waiting.answer.judged);
  expect(background.answer.recommendations).toEqual(waiting.answer.recommendations);
  expect((await insights()).recommendations).toEqual(waiting.answer.recommendations);
});
