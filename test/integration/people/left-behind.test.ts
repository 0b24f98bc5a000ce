import { expect, test } from 'bun:test';
import { addRejections } from '../../../src/event-store/intake/queries.ts';
import type { OnStored } from '../../../src/event-store/keep.ts';
import { runCleanupStep } from '../../../src/modules/apps/index.ts';
import { CLEANUP_STEPS } from '../../../src/app/chapters.ts';
import { subjectHash } from '../../../src/event-store/event/person.ts';
import { selectErasedAnywhere, vacuumErased } from '../../../src/event-store/people.ts';
import { must } from '../../../src/shared/assert.ts';
import { selectOutgoing } from '../../../src/modules/webhooks/deliveries-queries.ts';
import { announceEvents } from '../../../src/modules/webhooks/index.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
const { sql } = deps;
await startTestQueries(deps);
const org = await createTestOrg(service);
const PHONE = 'phone-of-ada-1';
const ADA = 'Ada-User-1';

const said = (appId: string, tail: string, rest: object = {}) =>
  call(`/v1/apps/${appId}${tail}`, { headers: org.key, ...rest });
const erase = (appId: string, personId: string) =>
  said(appId, `/person?personId=${personId}`, { method: 'DELETE' });
const recordsOf = async (appId: string, personId: string, kind: string) => {
  const { body } = await said(appId, `/person?personId=${personId}`);
  return (body.records ?? []).filter((one: { kind: string }) => one.kind === kind);
};

test('deliveries of a deleted app are not sent, not sent again and not kept', async () => {
  const [app, other] = [
    await createTestApp(service, org.orgId),
    await createTestApp(service, org.orgId),
  ];
  const wish = { url: 'https://example.com/hook', events: ['event.received', 'app.deleted'] };
  const hook = await call('/v1/webhooks', {
    body: { ...wish, eventNames: ['opened'] },
    headers: org.key,
  });
  const path = `/v1/webhooks/${hook.body.webhook.id}`;
  for (const { device } of [app, other]) {
    const events = [{ name: 'opened', anonymousId: PHONE }];
    expect((await call('/v1/events', { body: { events }, headers: device })).status).toBe(202);
  }
  const onStored: OnStored = (tx, rows) => announceEvents(tx, deps.clock, rows);
  await compactEverything({ ...deps, onStored });
  const deliveries = () => sql<{ id: string; type: string; body: string }[]>`
    SELECT delivery_id AS id, event_type AS type, body FROM webhook_deliveries
    WHERE org_id = ${org.orgId} ORDER BY 1`;
  const own = must(
    (await deliveries()).find(({ body }) => body.includes(app.appId)),
    'was told',
  );
  const others = must(
    (await deliveries()).find(({ body }) => body.includes(other.appId)),
    'told',
  );
  expect(await selectOutgoing(sql, org.orgId, own.id)).not.toBeNull();

  const { slug } = (await said(app.appId, '')).body;
  expect((await said(app.appId, `?confirm=${slug}`, { method: 'DELETE' })).status).toBe(200);
  expect(await selectOutgoing(sql, org.orgId, own.id)).toBeNull();
  expect(await selectOutgoing(sql, org.orgId, others.id)).not.toBeNull();
  const again = await call(`${path}/deliveries/${own.id}/redeliver`, {
    method: 'POST',
    headers: org.key,
  });
  expect(again.status).toBe(404);
  await sql`UPDATE webhook_deliveries SET status = 'failed'`;
  const range = { from: new Date(Date.now() - 60_000).toISOString(), status: 'any' };
  const resent = await call(`${path}/resend`, { body: range, headers: org.key });
  expect(resent.body.accepted).toBe(2);

  const input = { orgId: org.orgId, appId: app.appId };
  for (const { name: step } of CLEANUP_STEPS) {
    await runCleanupStep({ deps, requestId: 'test' }, CLEANUP_STEPS, { ...input, step });
  }
  const left = await deliveries();
  expect(left.map(({ type }) => type).toSorted()).toEqual(['app.deleted', 'event.received']);
  expect(await selectOutgoing(sql, org.orgId, own.id)).toBeNull();
});

test('the example of a refused batch goes with the person whom the batch names', async () => {
  const { appId, device } = await createTestApp(service, org.orgId);
  const refuse = async (...senders: object[]) => {
    const events = senders.map((ids) => ({ name: 'Not A Name', note: 'x'.repeat(400), ...ids }));
    const answer = await call('/v1/events', { body: { events }, headers: device });
    expect(answer.status).toBe(400);
  };
  const store = () => addRejections(sql, deps.events.rejections.take());
  const example = async () =>
    (await said(appId, '/events/ingestion')).body.rejected[0]?.lastExample ?? null;
  await refuse({ anonymousId: PHONE, userId: ADA });
  await store();
  expect(await example()).toContain('Not A Name');
  const [record] = await recordsOf(appId, ADA, 'refused_batch');
  expect(record.data).toMatchObject({ people: [ADA], lastExample: await example() });

  await refuse({ anonymousId: PHONE, userId: 'bob-user-1' }, { anonymousId: PHONE, userId: ADA });
  await store();
  const [shared] = await recordsOf(appId, 'bob-user-1', 'refused_batch');
  expect(shared.data).toMatchObject({ people: null, lastExample: null, batches: 2 });
  expect((await erase(appId, 'bob-user-1')).status).toBe(204);
  expect(await example()).toBeNull();

  await refuse({ anonymousId: PHONE, userId: 'bob-user-1' });
  await store();
  expect(await example()).toBeNull();
  await refuse({ anonymousId: PHONE });
  await store();
  expect(await example()).toContain('Not A Name');
});

test('the list of the sandbox loses the person in any case, and an export shows no other', async () => {
  const { appId } = await createTestApp(service, org.orgId);
  const body = { sandboxListed: [ADA.toUpperCase(), 'bob', ADA.toLowerCase()] };
  await said(appId, '/purchases/settings', { method: 'PATCH', body });
  const [record] = await recordsOf(appId, ADA, 'sandbox_listing');
  expect(record.data).toEqual({ sandboxListed: [ADA.toUpperCase(), ADA.toLowerCase()] });
  expect((await erase(appId, ADA)).status).toBe(204);
  expect((await said(appId, '/purchases/settings')).body.sandboxListed).toEqual(['bob']);
});

test('the audit and deliveries name no other in an export, and forget a user however spelt', async () => {
  const { appId } = await createTestApp(service, org.orgId);
  const hook = { url: 'https://example.com/hooks', events: ['entitlement.changed'] };
  expect((await call('/v1/webhooks', { headers: org.key, body: hook })).status).toBe(201);
  const user = crypto.randomUUID();
  const [other, listed] = ['some-other-user', [user, 'some-other-user']];
  await said(appId, '/purchases/settings', { method: 'PATCH', body: { sandboxListed: listed } });
  const given = { userId: user.toUpperCase(), productId: 'pro' };
  await said(appId, '/purchases/grants', { method: 'POST', body: given });
  const { text, body } = await said(appId, `/person?personId=${user}`);
  expect(text).not.toContain(other);
  const kinds = body.records.map(({ kind }: { kind: string }) => kind);
  expect(kinds.filter((kind: string) => kind === 'audit_entry')).toHaveLength(2);
  expect(kinds).toContain('webhook_delivery');
  expect((await erase(appId, user)).status).toBe(204);
  const audit = await call(`/v1/audit?appId=${appId}`, { headers: org.key });
  expect(audit.text).toContain(other);
  expect(audit.text.toLowerCase()).not.toContain(user);
  const sent = await sql`SELECT 1 FROM webhook_deliveries WHERE strpos(lower(body), ${user}) > 0`;
  expect(sent).toHaveLength(0);
});

test('every door of purchases refuses an erased user, however spelt, and their device', async () => {
  const { appId, device } = await createTestApp(service, org.orgId);
  const user = crypto.randomUUID();
  const events = [{ name: 'opened', anonymousId: PHONE, userId: user }];
  await call('/v1/events', { body: { events }, headers: device });
  await compactEverything(deps);
  expect((await erase(appId, user)).status).toBe(204);
  const product = { productId: 'pro' };
  for (const userId of [user, user.toUpperCase()]) {
    const doors: [string, string, object][] = [
      ['POST', 'grants', { ...product, userId }],
      ['PATCH', 'settings', { sandboxListed: [userId] }],
      ['PUT', 'refund-answers/person', { userId, answers: 'decline' }],
    ];
    for (const [method, door, body] of doors) {
      const { status } = await said(appId, `/purchases/${door}`, { method, body });
      expect([door, userId, status]).toEqual([door, userId, 409]);
    }
  }
  const ofDevice = { method: 'POST', body: { ...product, anonymousId: PHONE } };
  expect((await said(appId, '/purchases/grants', ofDevice)).status).toBe(409);
  expect((await said(appId, `/person?personId=${user}`)).status).toBe(404);
});

const FORMS: [object, 'user' | 'device' | 'nobody'][] = [
  [{ userId: ADA }, 'user'],
  [{ user_id: ADA }, 'user'],
  [{ deep: [{ nested: { personId: ADA } }] }, 'user'],
  [{ user: { id: ADA } }, 'user'],
  [{ 'user.id': ADA }, 'user'],
  [{ 'enduser.id': ADA, odd: '\u0000 \ud800 \\u0000' }, 'user'],
  [{ resource: { 'user.email': ADA } }, 'user'],
  [{ distinct_id: ADA }, 'user'],
  [{ userIds: ['bob', ADA] }, 'user'],
  [{ anonymousId: PHONE }, 'device'],
  [{ 'device.id': PHONE, userId: '' }, 'device'],
  [{ deviceId: PHONE, userId: null }, 'device'],
  [{ deviceId: PHONE, userId: 'bob' }, 'nobody'],
  [{ deviceId: PHONE, user_id: 7 }, 'nobody'],
  [{ note: ADA, words: `${ADA} ${PHONE}` }, 'nobody'],
  [{ userId: `${ADA}2`, other: ADA }, 'nobody'],
];

test('log entries go by the fields that people use, and none is taken again', async () => {
  const { appId, device } = await createTestApp(service, org.orgId);
  const events = [{ name: 'opened', anonymousId: PHONE, userId: ADA }];
  await call('/v1/events', { body: { events }, headers: device });
  const write = async () => {
    for (const [n, [fields]] of FORMS.entries()) {
      const body = { message: `form ${n}`, fields: { appId, ...fields } };
      expect((await call('/v1/logs', { body, headers: org.key })).status).toBe(202);
    }
  };
  const left = async () => {
    const rows = await sql<{ entry: string }[]>`SELECT entry FROM logs WHERE app_id = ${appId}`;
    return rows.map(({ entry }) => Number(JSON.parse(entry).message.slice(5))).toSorted();
  };
  const of = (...owners: string[]) =>
    FORMS.flatMap(([, owner], n) => (owners.includes(owner) ? [n] : [])).toSorted();
  await write();
  const records = await recordsOf(appId, ADA, 'log_entry');
  const shown = records.map(({ data }: any) => Number(JSON.parse(data.entry).message.slice(5)));
  expect(shown.toSorted()).toEqual(of('user', 'device'));
  const { notSearched } = (await said(appId, `/person?personId=${ADA}`)).body;
  expect(notSearched).toContain('texts of log entries');
  expect((await erase(appId, ADA)).status).toBe(204);
  expect(await left()).toEqual(of('nobody'));
  await write();
  expect(await left()).toEqual([...of('nobody'), ...of('nobody')].toSorted());
});

test('an entry without an app stays where another app knows the person', async () => {
  const [one, other] = [
    await createTestApp(service, org.orgId),
    await createTestApp(service, org.orgId),
  ];
  for (const userId of ['user-42', 'user-43']) {
    for (const { device } of userId === 'user-42' ? [one, other] : [one]) {
      const events = [{ name: 'opened', anonymousId: `${userId}-phone`, userId }];
      await call('/v1/events', { body: { events }, headers: device });
    }
    const body = { message: `of ${userId}`, fields: { userId } };
    await call('/v1/logs', { body, headers: org.key });
  }
  await compactEverything(deps);
  for (const userId of ['user-42', 'user-43']) {
    expect((await erase(one.appId, userId)).status).toBe(204);
  }
  const left = await sql<
    { entry: string }[]
  >`SELECT entry FROM logs WHERE entry LIKE '%of user-4%'`;
  expect(left.map(({ entry }) => JSON.parse(entry).message)).toEqual(['of user-42']);
});

test('an entry of the log that names no app names nobody erased either', async () => {
  const own = await createTestOrg(service);
  const [app, other] = [
    await createTestApp(service, own.orgId),
    await createTestApp(service, own.orgId),
  ];
  const log = (message: string, fields: object) =>
    call('/v1/logs', { body: { message, fields }, headers: own.key });
  const opened = { name: 'opened', anonymousId: 'phone-of-bob-1', userId: 'bob-of-both' };
  await call('/v1/events', { body: { events: [opened] }, headers: other.device });
  await compactEverything(deps);
  for (const id of ['only-of-app', 'bob-of-both']) {
    const path = `/v1/apps/${app.appId}/person?personId=${id}`;
    expect((await call(path, { method: 'DELETE', headers: own.key })).status).toBe(204);
    expect((await log(id, { userId: id })).status).toBe(202);
    expect((await log(`${id} in app`, { userId: id, appId: app.appId })).status).toBe(202);
  }
  expect((await log('of none', { userId: 'nobody\0' })).status).toBe(202);
  const { entries } = (await call('/v1/logs', { headers: own.key })).body;
  const messages = entries.map(({ message }: { message: string }) => message);
  expect(messages.toSorted()).toEqual(['bob-of-both', 'of none']);
});

test('an erased id of any letters is found without its app, and none of another organization', async () => {
  const { appId } = await createTestApp(service, org.orgId);
  const ids = ['"quoted" \\ / \u0001\t\u007f', 'Zoë 🦊 \u2028', 'plain-user'];
  await sql`
    INSERT INTO event_erasures (app_id, org_id, subject_hash, seq)
    SELECT ${appId}, ${org.orgId}, hash, 0
    FROM unnest(${ids.map((id) => subjectHash(appId, id))}::text[]) AS hash`;
  const found = (orgId: string) => selectErasedAnywhere(sql, orgId, [...ids, 'other', '\0']);
  expect(await found(org.orgId)).toEqual(new Set(ids));
  expect(await found((await createTestOrg(service)).orgId)).toEqual(new Set());
});

test('no door takes an erased id', async () => {
  const { appId } = await createTestApp(service, org.orgId);
  await erase(appId, ADA);
  const refused = [
    said(appId, '/purchases/grants', { body: { userId: ADA, productId: 'pro' } }),
    said(appId, '/purchases/settings', { method: 'PATCH', body: { sandboxListed: ['bob', ADA] } }),
    said(appId, '/purchases/refund-answers/person', {
      method: 'PUT',
      body: { userId: ADA, answers: 'decline' },
    }),
  ];
  expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([409, 409, 409]);
  const csv = `userId,originalTransactionId\n${ADA},2000000900000001\nbob-1,2000000900000002\n`;
  const imported = await said(appId, '/purchases/import', { body: { csv } });
  expect(imported.status).toBe(202);
  const rows = await sql`
    SELECT user_id, state, reason FROM purchase_import_rows WHERE app_id = ${appId} ORDER BY line`;
  expect([...rows]).toEqual([
    { user_id: 'erased', state: 'refused', reason: 'erased_person' },
    { user_id: 'bob-1', state: 'waiting', reason: null },
  ]);
});

test('dead rows and statistics of small tables go too', async () => {
  const { appId } = await createTestApp(service, org.orgId);
  for (let n = 0; n < 3; n += 1) {
    const body = { userId: ADA, productId: `pro${n}` };
    await said(appId, '/purchases/grants', { body });
  }
  // PostgreSQL takes no statistics of an empty table.
  await said(appId, '/purchases/grants', { body: { userId: 'bob-1', productId: 'pro' } });
  await sql`ANALYZE purchase_grants`;
  const known = async () => {
    const rows = await sql`
      SELECT 1 FROM pg_stats WHERE tablename = 'purchase_grants'
        AND most_common_vals::text LIKE ${`%${ADA}%`}`;
    return rows.length;
  };
  expect(await known()).toBe(1);
  await erase(appId, ADA);
  await until('the table is vacuumed', async () => {
    await vacuumErased(sql, ['purchase_grants']);
    return (await known()) === 0;
  });
});
