import { describe, expect, test } from 'bun:test';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importEventsFile } from '../../../src/modules/events/index.ts';
import { announceEvents } from '../../../src/modules/webhooks/index.ts';
import { intakeRequests } from '../../support/intake.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import {
  createTestApp,
  createTestOrg,
  startTestService,
  type TestApp,
} from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const intake = intakeRequests(service);

const ALICE = 'alice-0001';
const BOB = 'bob-000001';
/** Both sign in on it, alice first. */
const PHONE = 'phone-0001';

async function post(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  expect((await intake(path, JSON.stringify(body), headers)).status).toBe(200);
}

/** Each says that bob is an alias of alice. */
const ALIASES: readonly [string, (app: TestApp) => Promise<void>][] = [
  [
    'events of our own',
    async ({ device }) => {
      const events = [{ name: 'identify', userId: ALICE, anonymousId: BOB }];
      expect((await call('/v1/events', { body: { events }, headers: device })).status).toBe(202);
    },
  ],
  [
    '$create_alias of PostHog',
    ({ serviceKey }) =>
      post('/v1/posthog/capture/', {
        ...{ api_key: serviceKey, event: '$create_alias', distinct_id: ALICE },
        properties: { alias: BOB },
      }),
  ],
  [
    '$identify of PostHog',
    ({ serviceKey }) =>
      post('/v1/posthog/capture/', {
        ...{ api_key: serviceKey, event: '$identify', distinct_id: ALICE },
        properties: { $anon_distinct_id: BOB },
      }),
  ],
  [
    'alias of Segment',
    ({ serviceKey }) =>
      post('/v1/segment/v1/alias', { writeKey: serviceKey, userId: ALICE, previousId: BOB }),
  ],
  [
    'identify of Segment',
    ({ serviceKey }) =>
      post('/v1/segment/v1/identify', { writeKey: serviceKey, userId: ALICE, anonymousId: BOB }),
  ],
  [
    'a device of Amplitude',
    ({ serviceKey }) =>
      post('/v1/amplitude/2/httpapi', {
        api_key: serviceKey,
        events: [{ event_type: 'opened', user_id: ALICE, device_id: BOB }],
      }),
  ],
];

/** Every format, in both orders, out of the log or out of files, erasing either. */
const CASES = ALIASES.flatMap(([format, alias], index) =>
  [0, 1].map((half) => ({
    ...{ format, alias },
    order: (index + half) % 2 === 0 ? 'before' : 'after',
    place: (index >> 1) % 2 === half ? 'the log' : 'files',
    erased: half === 0 ? BOB : ALICE,
  })),
);

async function signIn(app: TestApp, userId: string): Promise<void> {
  const events = [1, 2].map((n) => ({
    ...{ name: 'bought', userId, anonymousId: PHONE },
    // PostgreSQL's jsonb refuses NUL, and erasing reads deliveries.
    props: { n, by: `${userId}\u0000` },
  }));
  expect((await call('/v1/events', { body: { events }, headers: app.device })).status).toBe(202);
}

test.each([
  [ALICE, BOB, 'in files', {}],
  [ALICE, BOB, 'just named', {}],
  ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'bob@example.com', 'in files', {}],
  [ALICE, BOB, 'just named', { $is_identified: true }],
])(
  'an alias of the users %s and %s, %s, leaves the events of their server theirs',
  async (...of) => {
    const [alice, bob, known, properties] = of;
    const org = await createTestOrg(service);
    const app = await createTestApp(service, org.orgId);
    for (const [n, userId] of [alice, bob].entries()) {
      const events = [{ name: 'opened', userId, anonymousId: `phone-000${n}` }];
      expect((await call('/v1/events', { body: { events }, headers: app.device })).status).toBe(
        202,
      );
    }
    if (known === 'in files') await compactEverything(deps);
    const capture = (event: string, distinct_id: string, props: object) =>
      post('/v1/posthog/capture/', {
        ...{ api_key: app.serviceKey, event, distinct_id, properties: props },
      });
    for (const event of ['$create_alias', '$merge_dangerously']) {
      await capture(event, alice, { ...properties, alias: bob });
    }
    await capture('$identify', alice, { $anon_distinct_id: bob });
    // The first event of a third user.
    await capture('$identify', 'carol-0001', { $anon_distinct_id: bob });
    const { serviceKey } = app;
    await post('/v1/segment/v1/alias', { writeKey: serviceKey, userId: alice, previousId: bob });
    for (const user of [alice, bob]) await capture('bought', user, {});
    for (const place of ['the log', 'files']) {
      const path = `/v1/apps/${app.appId}`;
      for (const user of [alice, bob]) {
        const { body } = await call(`${path}/person?personId=${user}`, { headers: org.key });
        const names = body.events.map(({ name }: { name: string }) => name);
        expect([place, user, body.personId]).toEqual([place, user, user]);
        expect(names.filter((name: string) => name !== 'identify')).toEqual(['opened', 'bought']);
      }
      const { people } = (await call(`${path}/events/summary`, { headers: org.key })).body;
      expect([place, people]).toEqual([place, 3]);
      await compactEverything(deps);
    }
  },
);

test("an alias of two users in a file of PostHog's leaves the events of their server theirs", async () => {
  const org = await createTestOrg(service);
  const app = await createTestApp(service, org.orgId);
  const timestamp = new Date(Date.now() - 60_000).toISOString();
  const line = (event: string, distinct_id: string, properties = {}) => ({
    ...{ uuid: crypto.randomUUID(), event, distinct_id, properties, timestamp },
  });
  const lines = [
    ...[ALICE, BOB].map((user) =>
      line('opened', user, { $device_id: crypto.randomUUID(), $is_identified: true }),
    ),
    line('$create_alias', ALICE, { alias: BOB }),
    ...[ALICE, BOB].map((user) => line('bought', user)),
  ];
  const path = join(mkdtempSync(join(tmpdir(), 'aliased-')), 'posthog.jsonl');
  writeFileSync(path, lines.map((one) => JSON.stringify(one)).join('\n'));
  const ctx = { deps, requestId: 'test' };
  expect(await importEventsFile(ctx, { appId: app.appId, path })).toMatchObject({ events: 5 });
  await compactEverything(deps);
  for (const user of [ALICE, BOB]) {
    const person = `/v1/apps/${app.appId}/person?personId=${user}`;
    const { body } = await call(person, { headers: org.key });
    const names = body.events.map(({ name }: { name: string }) => name);
    expect([user, body.personId]).toEqual([user, user]);
    expect(names.filter((name: string) => name !== 'identify').toSorted()).toEqual([
      'bought',
      'opened',
    ]);
  }
});

describe('of two users who signed in, one an alias of the other', () => {
  test.each(CASES)(
    'by $format $order their sign-ins, in $place: erasing $erased leaves the other',
    async ({ alias, order, place, erased }) => {
      const org = await createTestOrg(service);
      const app = await createTestApp(service, org.orgId);
      const path = `/v1/apps/${app.appId}`;
      const hook = { url: 'https://example.com/hook', events: ['event.received'] };
      const eventNames = ['bought', 'identify'];
      await call('/v1/webhooks', { body: { ...hook, eventNames }, headers: org.key });
      const get = (tail: string) => call(`${path}${tail}`, { headers: org.key });
      const person = (id: string, by = 'personId') =>
        get(by === 'personId' ? `/person?personId=${id}` : `/people/${id}`);

      if (order === 'before') await alias(app);
      for (const user of [ALICE, BOB]) {
        await signIn(app, user);
        const grant = { userId: user, productId: 'pro' };
        const granted = await call(`${path}/purchases/grants`, { body: grant, headers: org.key });
        expect(granted.status).toBeLessThan(300);
        const fields = { userId: user, anonymousId: PHONE, appId: app.appId };
        await call('/v1/logs', { body: { message: 'm', fields }, headers: org.key });
      }
      if (order === 'after') await alias(app);
      const onStored = (tx: Parameters<typeof announceEvents>[0], rows: any) =>
        announceEvents(tx, deps.clock, rows);
      if (place === 'files') await compactEverything({ ...deps, onStored });

      expect((await get('/events/summary')).body.people).toBe(2);
      const other = erased === BOB ? ALICE : BOB;
      const before = await person(other);
      for (const id of [ALICE, BOB]) {
        for (const by of ['personId', 'path']) {
          const { status, body, text } = await person(id, by);
          expect([by, id, status, body.personId]).toEqual([by, id, 200, id]);
          expect(body.events.every((one: any) => one.personId === id)).toBe(true);
          expect(text).not.toContain(`${id === BOB ? ALICE : BOB}\\u0000`);
        }
      }
      const kinds = before.body.records.map(({ kind }: { kind: string }) => kind);
      expect(kinds).toContain('purchase_grant');
      if (place === 'files') expect(kinds).toContain('webhook_delivery');

      const gone = await call(`${path}/person?personId=${erased}`, {
        method: 'DELETE',
        headers: org.key,
      });
      expect(gone.status).toBe(204);
      for (const again of ['at once', 'compacted']) {
        expect((await person(erased)).status).toBe(404);
        const { body } = await person(other);
        const plain = ({ anonymousIds: _, ...rest }: { anonymousIds: string[] }) => rest;
        if (again === 'at once') expect(plain(body)).toEqual(plain(before.body));
        else expect(body.events).toEqual(before.body.events);
        const summary = (await get('/events/summary')).body;
        expect([summary.people, summary.events]).toEqual([1, before.body.events.length]);
        await compactEverything({ ...deps, onStored });
      }
      const asked = (id: string) => `userId=${id}&productId=pro`;
      const entitled = async (id: string) =>
        (await call(`/v1/purchases/entitlement?${asked(id)}`, { headers: app.device })).body.status;
      expect([await entitled(other), await entitled(erased)]).toEqual(['active', 'none']);
    },
  );
});
