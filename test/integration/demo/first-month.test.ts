import { afterAll, expect, test } from 'bun:test';
import { sendDigest, writeDigest } from '../../../src/modules/digests/index.ts';
import { bundleMessages } from '../../../src/modules/messages/bundle-messages.ts';
import { selectPostsWithoutRun } from '../../../src/modules/messages/bundles-queries.ts';
import { sendMessage } from '../../../src/modules/messages/index.ts';
import { upsertStoreApps } from '../../../src/modules/sales/collection/apps-queries.ts';
import { createKeySlots } from '../../../src/modules/sales/collection/key-slots.ts';
import { createStoreClient } from '../../../src/providers/store/client.ts';
import { createProviderRateLimit } from '../../../src/storage/provider-rate-limit.ts';
import { startChat } from '../../simulators/chat/server.ts';
import { startStoreSimulator } from '../../simulators/store/server.ts';
import type { SimulatedSubscription } from '../../simulators/store-server/subscription.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, startPurchaseService, type TestClock } from '../../support/purchase-service.ts';
import { startTestQueries } from '../../support/queries.ts';
import { isFullRun } from '../../support/random.ts';
import { collectAll, placeConnection, type StoreSuite } from '../../support/store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Each day costs three reports; a year is collected under TEST_FULL. */
const COLLECTED_DAYS = isFullRun ? 365 : 45;
const NEW_PEOPLE = 55;
const RELEASE_DAY = 9;

const chat = startChat();
afterAll(() => chat.stop());
/** At five in the evening of UTC, in the morning of the store. */
const START = Date.parse('2026-07-01T17:00:00Z');
const clock: TestClock = { now: START };
const now = () => new Date(clock.now);
const store = await startStoreSimulator({ seed: 11, now, retentionDays: COLLECTED_DAYS });
afterAll(() => store.stop());
const service = await startPurchaseService(await testDatabase(), {
  env: { EGRESS_ALLOW: `127.0.0.1:${chat.port}`, STORE_API_URL: store.url },
  with: (deps) => ({
    clock: now,
    store: createStoreClient({
      baseUrl: store.url,
      clock: now,
      gate: createKeySlots(deps.sql),
      limits: createProviderRateLimit(deps.sql, now),
      timeoutMs: 30_000,
    }),
  }),
});
const { call, deps } = service;
await startTestQueries(deps);
const system = { deps, requestId: 'test' };
const suite: StoreSuite = { ...service, store, ctx: system, setNow: () => undefined };

const app = await service.app();
const { orgId, key: headers } = app.org;
const get = async (path: string) => {
  const answer = await call(path, { headers });
  expect(answer.status).toBe(200);
  return answer.body;
};
const put = (path: string, body: object) => call(path, { method: 'PUT', headers, body });
const onDay = (day: number, hour = 17) => {
  clock.now = START + (day - 1) * DAY + (hour - 17) * HOUR;
};

/** A day of the app: new people, and a third of those of each of the two days before again. */
async function live(day: number): Promise<void> {
  onDay(day);
  const seen = (of: number, share: number) =>
    Array.from({ length: NEW_PEOPLE }, (_, index) => `person-of-day-${of}-${index}`).filter(
      (_, index) => of >= 1 && index % share === 0,
    );
  const people = [...seen(day, 1), ...seen(day - 1, 3), ...seen(day - 2, 3)];
  const ts = new Date(clock.now - HOUR).toISOString();
  const events = people.map((anonymousId) => ({ name: 'app_opened', ts, anonymousId }));
  const context = { platform: 'ios', appVersion: day < RELEASE_DAY ? '1.0' : '1.1' };
  for (let from = 0; from < events.length; from += 100) {
    const body = { events: events.slice(from, from + 100), context };
    expect((await call('/v1/events', { headers: app.device, body })).status).toBe(202);
  }
}

const told = (type: string) =>
  chat.received.filter(({ body }) => body.type === type).map(({ body }) => body);
/** What the reconciler does every two seconds, and the runs that it starts. */
async function sendPending(): Promise<void> {
  clock.now += 21_000;
  await bundleMessages(deps);
  for (const post of await selectPostsWithoutRun(deps.sql, 100)) await sendMessage(system, post);
}
async function happens(subscription: SimulatedSubscription): Promise<string[]> {
  const before = told('messages').length;
  const last = subscription.told.at(-1)!;
  await service.deliver(subscription, last, app);
  await service.deliver(subscription, last, app);
  await sendPending();
  await sendPending();
  return told('messages')
    .slice(before)
    .map(({ text }) => text.split('\n')[0]);
}

test('the first month says on each day what can be said by then', async () => {
  const target = chat.url('/json/month');
  await call('/v1/digests/destinations', { headers, body: { kind: 'json', name: 'Us', target } });
  await put('/v1/digests', { isOn: true, timezone: 'UTC', hour: 8 });
  const kinds = { alerts: true, subscribers: true, refunds: true, billingProblems: true };
  await put('/v1/digests/messages', { ...kinds, quietHours: null });

  // Day 1: the store's key brings what was sold before anybody came.
  const apps = store.account.apps.map(({ id, ...rest }) => ({ storeAppId: id, ...rest }));
  await placeConnection(suite, orgId);
  await upsertStoreApps(deps.sql, orgId, apps);
  await collectAll(suite, orgId);
  const { freshness, totals } = await get(`/v1/analytics?days=${COLLECTED_DAYS - 1}`);
  expect(freshness).toMatchObject({ gaps: 0, lastError: null });
  expect(totals.downloads).toBeGreaterThan(0);
  await live(1);

  // Day 2: the first digest, once.
  await live(2);
  onDay(3, 8);
  for (let times = 0; times < 2; times += 1) {
    for (const post of await writeDigest(system, { orgId, startedMs: clock.now })) {
      await sendDigest(system, post);
    }
  }
  const digests = told('digest');
  expect(digests).toHaveLength(1);
  expect(digests[0].data.sales.downloads).toBeGreaterThan(0);
  expect(digests[0].data.apps[0]).toMatchObject({ people: NEW_PEOPLE + 19 });

  // The first sale, refund and billing problem: one message each.
  const sale = buy(app, clock.now - HOUR);
  expect(await happens(sale)).toEqual([expect.stringContaining('New subscriber: pro.monthly')]);
  sale.refund();
  expect(await happens(sale)).toEqual([expect.stringContaining('Refund: pro.monthly')]);
  const failing = buy(app, clock.now - 30 * DAY);
  await service.deliver(failing, failing.told[0]!, app);
  failing.failIntoRetry();
  expect(await happens(failing)).toEqual([expect.stringContaining('Billing problem')]);

  // Day 7: the first mean of retention.
  for (let day = 3; day <= 7; day += 1) await live(day);
  const events = `/v1/apps/${app.appId}/events`;
  const retention = await get(`${events}/retention?interval=day&days=7`);
  expect(retention.mean[0].rate).toBeCloseTo(19 / 55, 6);

  // The first release: marked, and beside the one before.
  for (let day = 8; day <= RELEASE_DAY + 2; day += 1) await live(day);
  const { marks } = await get(`/v1/apps/${app.appId}/marks`);
  const released = new Date(START + (RELEASE_DAY - 1) * DAY).toISOString().slice(0, 10);
  expect(marks.filter(({ kind }: any) => kind === 'version')).toContainEqual(
    expect.objectContaining({ appVersion: '1.1', day: released }),
  );
  const byVersion = await get(`${events}/series?days=14&breakdown=appVersion`);
  const versions = byVersion.series.map(({ key }: any) => key);
  expect(versions.toSorted()).toEqual(['1.0', '1.1']);

  // With day 28 over there are two full fortnights to compare; not a day before.
  const isFull = async () => {
    const { points } = await get(`${events}/series?days=14`);
    return points.slice(0, -1).every(({ previousPeople }: any) => previousPeople > 0);
  };
  for (let day = RELEASE_DAY + 3; day <= 28; day += 1) await live(day);
  expect(await isFull()).toBe(false);
  onDay(29);
  expect(await isFull()).toBe(true);
});
