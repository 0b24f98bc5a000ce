import { describe, expect, test } from 'bun:test';
import { ensurePartition, toUtcDay } from '../../../src/modules/logs/partition-queries.ts';
import { insertLogs } from '../../../src/modules/logs/queries.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const database = await testDatabase();
const service = await startTestService(database, { env: { DISK_FLOOR_MB: '1' } });
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);

async function appOfAnn() {
  const app = await createTestApp(service, org.orgId);
  const send = (...events: object[]) =>
    call('/v1/events', { body: { events }, headers: app.device });
  const person = (id: string, tail = '', method = 'GET') =>
    call(`/v1/apps/${app.appId}/people/${encodeURIComponent(id)}${tail}`, {
      method,
      headers: org.key,
    });
  await send(
    { name: 'app_opened', anonymousId: 'device-one', props: { n: 1 } },
    { name: 'signup_completed', anonymousId: 'device-one', userId: 'ann/é' },
    { name: 'app_opened', anonymousId: 'device-two', userId: 'ann/é' },
    { name: 'app_opened', anonymousId: 'device-bob', userId: 'bob' },
  );
  return { ...app, send, person };
}

const names = (answer: { body: { events: { name: string }[] } }) =>
  answer.body.events.map((event) => event.name);

describe('the export of a person', () => {
  test('holds all that is stored, in order, from log and files, and their devices', async () => {
    const { person, send } = await appOfAnn();
    const before = await person('ann/é');
    expect(before.status).toBe(200);
    expect(names(before)).toEqual(['app_opened', 'signup_completed', 'app_opened']);
    expect(before.body.events[0]).toMatchObject({ personId: 'ann/é', props: { n: 1 } });
    await compactEverything(deps);
    await send({ name: 'later', anonymousId: 'device-two' });
    const after = await person('ann/é');
    expect(names(after)).toEqual(['app_opened', 'signup_completed', 'app_opened', 'later']);
    expect(after.body).toMatchObject({
      personId: 'ann/é',
      anonymousIds: ['device-one', 'device-two'],
      nextCursor: null,
    });
  });

  test('comes in pages that miss and repeat nothing', async () => {
    const { person } = await appOfAnn();
    const pages: string[] = [];
    let tail = '?limit=2';
    for (;;) {
      const { body } = await person('ann/é', tail);
      pages.push(...names({ body }));
      if (body.nextCursor === null) break;
      tail = `?limit=2&cursor=${body.nextCursor}`;
    }
    expect(pages).toEqual(['app_opened', 'signup_completed', 'app_opened']);
  });

  test('is the same by a device, with all devices from the first moment on', async () => {
    const { person } = await appOfAnn();
    const [byUser, byDevice] = [await person('ann/é'), await person('device-one')];
    expect(byUser.body.anonymousIds).toEqual(['device-one', 'device-two']);
    expect(byDevice.body).toEqual(byUser.body);
    await compactEverything(deps);
    expect((await person('device-two')).body).toEqual(byUser.body);
  });

  test('has what other chapters store, after the last event', async () => {
    const { person, appId } = await appOfAnn();
    const grants = { userId: 'ann/é', productId: 'pro' };
    await call(`/v1/apps/${appId}/purchases/grants`, { body: grants, headers: org.key });
    const kinds: string[] = [];
    let [tail, events] = ['?limit=2', 0];
    for (;;) {
      const { body } = await person('device-two', tail);
      expect(body.events.length + body.records.length).toBeLessThanOrEqual(2);
      events += body.events.length;
      kinds.push(...body.records.map(({ kind }: { kind: string }) => kind));
      if (body.nextCursor === null) break;
      tail = `?limit=2&cursor=${body.nextCursor}`;
    }
    expect([events, kinds]).toEqual([3, ['purchase_grant', 'purchase_grant_audit', 'audit_entry']]);
  });

  test('of an id that nothing is known of is a 404', async () => {
    const { person } = await appOfAnn();
    expect((await person('nobody')).status).toBe(404);
    expect((await person('nobody', '?cursor=x')).status).toBe(400);
  });
});

describe('erasing a person', () => {
  test('takes them out of every answer at once, and they stay erased', async () => {
    const { person, send, appId } = await appOfAnn();
    const summary = async () =>
      (await call(`/v1/apps/${appId}/events/summary`, { headers: org.key })).body;
    expect((await summary()).people).toBe(2);
    expect((await person('device-one', '', 'DELETE')).status).toBe(204);
    expect(await summary()).toMatchObject({ people: 1, events: 1 });
    expect((await person('ann/é')).status).toBe(404);
    await send({ name: 'again', anonymousId: 'device-two' });
    await compactEverything(deps);
    expect(await summary()).toMatchObject({ people: 1, events: 1 });
    expect((await person('ann/é')).status).toBe(404);
    expect(names(await person('bob'))).toEqual(['app_opened']);
  });

  test('takes them out of logs and purchase links too', async () => {
    const { person, appId } = await appOfAnn();
    const entry = (userId: string, app: string | null) => ({
      orgId: org.orgId,
      id: crypto.randomUUID(),
      at: deps.clock(),
      level: 'info' as const,
      service: 's',
      env: null,
      requestId: null,
      appId: app,
      entry: JSON.stringify({ message: 'm', fields: { userId } }),
      haystack: 'm',
      people: { users: [], devices: [] },
    });
    await ensurePartition(deps.sql, toUtcDay(deps.clock()));
    await insertLogs(deps.sql, [
      entry('ann/é', appId),
      entry('ann/é', 'app_other'),
      entry('bob', appId),
    ]);
    await compactEverything(deps);
    await person('ann/é', '', 'DELETE');
    const left = await database.sql`SELECT app_id, entry FROM logs WHERE org_id = ${org.orgId}`;
    expect(left.map((row) => [row.app_id, JSON.parse(row.entry).fields.userId]).toSorted()).toEqual(
      [
        ['app_other', 'ann/é'],
        [appId, 'bob'],
      ].toSorted(),
    );
    const total = await call('/v1/logs?limit=1', { headers: org.key });
    expect(total.body).toMatchObject({ total: 2 });
  });

  test('needs more than membership', async () => {
    const { appId } = await appOfAnn();
    const answer = await call(`/v1/apps/${appId}/people/ann`, { method: 'DELETE' });
    expect(answer.status).toBe(401);
  });
});
