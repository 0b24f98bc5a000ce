import { expect, test } from 'bun:test';
import { openAnalystSession } from '../../../src/admin/analyst/session.ts';
import { addRejections } from '../../../src/event-store/intake/queries.ts';
import { intakeOf } from '../../support/intake.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const send = intakeOf(service);

const DEVICES = ['device-0001', 'device-0002', 'device-0003'];
const WORDS = ['undefined', 'NULL', '[object Object]', '0', 'None', 'anonymous', ' NaN '];
const NO_DEVICES = ['undefined', '00000000-0000-0000-0000-000000000000', ' Anonymous '];

type App = Awaited<ReturnType<typeof createTestApp>>;
type Sent = { device?: string; user?: string };

/** An event by each door. */
const DOORS: Record<string, (app: App, sent: Sent) => Promise<void>> = {
  own: async ({ device: headers }, { device, user }) => {
    const events = [{ name: 'opened', anonymousId: device, userId: user }];
    expect((await call('/v1/events', { body: { events }, headers })).status).toBe(202);
  },
  segment: ({ serviceKey: writeKey }, { device: anonymousId, user: userId }) =>
    post('/v1/segment/v1/track', { writeKey, event: 'opened', anonymousId, userId }),
  posthog: ({ serviceKey: api_key }, { device, user }) =>
    post('/v1/posthog/capture/', {
      ...{ api_key, event: 'opened', distinct_id: user ?? device },
      properties: { $device_id: device },
    }),
  amplitude: ({ serviceKey: api_key }, { device, user }) =>
    post('/v1/amplitude/2/httpapi', {
      api_key,
      events: [{ event_type: 'opened', device_id: device, user_id: user }],
    }),
};

async function post(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  expect((await send(path, JSON.stringify(body), headers)).status).toBe(200);
}

const STEP_US = 86_400_000_000;

async function figures(appId: string) {
  const headers = org.key;
  const get = async (tail: string) =>
    (await call(`/v1/apps/${appId}/events/${tail}`, { headers })).body;
  const nowUs = Date.now() * 1_000;
  const { total } = await deps.queries.ask('funnel', {
    ...{ orgId: org.orgId, appId, steps: [{ event: 'opened' }], filters: {}, breakdown: null },
    ...{ fromUs: nowUs - STEP_US, startBeforeUs: nowUs + STEP_US, windowUs: STEP_US },
    trendFromUs: null,
  });
  const { people, events, names } = await get('summary');
  const session = await openAnalystSession(deps, org.orgId);
  const { rows } = await session.ask(
    `SELECT count(*)::INTEGER, count(person_id)::INTEGER FROM events WHERE app_id = '${appId}'`,
  );
  await session.close();
  return { people, events, ofName: names[0]?.people, inFunnel: total.people[0], inSql: rows[0] };
}

test.each(Object.keys(DOORS))('ids of %s that name nobody join nobody', async (format) => {
  const door = DOORS[format] ?? DOORS.own;
  const app = await createTestApp(service, org.orgId);
  const path = `/v1/apps/${app.appId}`;
  let sent = 0;
  for (const user of WORDS) {
    for (const device of DEVICES) await door?.(app, { device, user });
    sent += DEVICES.length;
  }
  await door?.(app, { device: 'device-0001', user: 'user-0001' });
  for (const device of NO_DEVICES) {
    await door?.(app, { device });
    await door?.(app, { device, user: 'undefined' });
    await door?.(app, { device, user: 'user-0002' });
  }
  sent += 1 + 3 * NO_DEVICES.length;

  // user-0001 with its device, user-0002 and two devices.
  const seen = async (isCompacted: boolean) => {
    const { inSql, ...found } = await figures(app.appId);
    expect(found).toEqual({ people: 4, events: sent, ofName: 4, inFunnel: 4 });
    // The analyst reads files alone.
    if (isCompacted) expect(inSql).toEqual([sent, sent - 2 * NO_DEVICES.length]);
    for (const id of [...WORDS, ...NO_DEVICES]) {
      const personId = encodeURIComponent(id);
      const { status } = await call(`${path}/person?personId=${personId}`, { headers: org.key });
      expect([id, status]).toEqual([id, 404]);
    }
    const query = `search=${encodeURIComponent('undefined')}`;
    const search = await call(`${path}/people?${query}`, { headers: org.key });
    expect(search.body.people).toEqual([]);
    const named = await call(`${path}/person?personId=user-0002`, { headers: org.key });
    expect(named.body.events).toHaveLength(NO_DEVICES.length);
  };
  await seen(false);
  await compactEverything(deps);
  await seen(true);

  await call(`${path}/person?personId=device-0003`, { method: 'DELETE', headers: org.key });
  const after = await figures(app.appId);
  expect([after.people, after.events]).toEqual([3, sent - WORDS.length]);

  const recent = await call(`${path}/events/recent`, { headers: org.key });
  const nobodys = recent.body.filter(({ personId }: any) => personId === '');
  expect(nobodys).toHaveLength(2 * NO_DEVICES.length);
});

test('what was ignored is told, and counts as nothing rejected', async () => {
  const app = await createTestApp(service, org.orgId);
  const events = [
    { name: 'opened', anonymousId: 'device-0001', userId: 'undefined' },
    { name: 'opened', anonymousId: 'device-0002', userId: 'null' },
    { name: 'opened', anonymousId: 'undefined' },
  ];
  await call('/v1/events', { body: { events }, headers: app.device });
  const ingestion = async () =>
    (await call(`/v1/apps/${app.appId}/events/ingestion`, { headers: org.key })).body;
  await addRejections(deps.sql, deps.events.rejections.take());
  const { rejected, ignoredIds, hours } = await ingestion();
  expect(rejected).toEqual([]);
  expect(hours.map(({ rejected: batches }: any) => batches)).not.toContain(2);
  expect(ignoredIds).toMatchObject([
    { field: 'userId', events: 2, lastExample: expect.stringContaining('"null" in {') },
    { field: 'anonymousId', events: 1 },
  ]);
});

test('nobody is entitled as undefined', async () => {
  const app = await createTestApp(service, org.orgId);
  const path = `/v1/apps/${app.appId}`;
  await call(`${path}/purchases/grants`, {
    body: { userId: 'user-0001', productId: 'pro' },
    headers: org.key,
  });
  const events = [{ name: 'opened', anonymousId: 'device-0001', userId: 'user-0001' }];
  await call('/v1/events', { body: { events }, headers: app.device });
  await compactEverything(deps);
  const ask = async (query: string) =>
    (await call(`/v1/purchases/entitlement?${query}`, { headers: app.device })).body;
  const zero = '00000000-0000-0000-0000-000000000000';
  expect(await ask(`appAccountToken=${zero}`)).toMatchObject({ error: { code: 'invalid_input' } });
  for (const query of ['userId=undefined', 'userId=null&anonymousId=undefined']) {
    expect([query, (await ask(query)).status]).toEqual([query, 'none']);
  }
  expect(await ask('userId=undefined&anonymousId=device-0001')).toMatchObject({ entitled: true });
});
