import { expect, test } from 'bun:test';
import { addRejections } from '../../../src/event-store/intake/queries.ts';
import type { OnStored } from '../../../src/event-store/keep.ts';
import { runCleanupStep } from '../../../src/modules/apps/index.ts';
import { CLEANUP_STEPS } from '../../../src/app/chapters.ts';
import { must } from '../../../src/shared/assert.ts';
import { selectOutgoing } from '../../../src/modules/webhooks/deliveries-queries.ts';
import { announceEvents } from '../../../src/modules/webhooks/index.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

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
