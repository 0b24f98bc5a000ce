import { afterAll, expect, test } from 'bun:test';
import { sendMessage } from '../../../src/modules/messages/index.ts';
import { attemptWebhookDelivery } from '../../../src/modules/webhooks/index.ts';
import { onlyRow } from '../../../src/shared/assert.ts';
import { testDatabase } from '../../support/postgres.ts';
import {
  createTestApp,
  createTestOrg,
  startTestService,
  type TestOrg,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** Answers when the test says so. */
const told: { text: string; answer: () => void }[] = [];
const sink = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const text = await request.text();
    const { promise, resolve } = Promise.withResolvers<void>();
    told.push({ text, answer: resolve });
    await promise;
    return new Response(null, { status: 500 });
  },
});
afterAll(() => sink.stop(true));
const url = `http://127.0.0.1:${sink.port}/hook`;
const service = await startTestService(await testDatabase(), {
  env: { EGRESS_ALLOW: `127.0.0.1:${sink.port}` },
});
const { call, deps } = service;
const { sql } = deps;
const ctx = { deps, requestId: 'test' };

async function makeDelivery({ orgId, key }: TestOrg, appId: string) {
  const hook = { url, events: ['event.received'], eventNames: ['opened'] };
  const { webhook } = (await call('/v1/webhooks', { body: hook, headers: key })).body;
  const deliveryId = `dlv_${appId.slice(4)}`;
  const made = { event_type: 'event.received', status: 'pending', created_at: new Date() };
  const body = JSON.stringify({ data: { appId } });
  const ids = { delivery_id: deliveryId, org_id: orgId, webhook_id: webhook.id };
  await sql`INSERT INTO webhook_deliveries ${sql({ ...ids, ...made, body })}`;
  return () => attemptWebhookDelivery(ctx, { orgId, deliveryId, retryInSeconds: null });
}

async function makeMessage({ orgId, key }: TestOrg, appIds: readonly string[]) {
  const target = { name: 'Ours', kind: 'json', target: url };
  const { id: destinationId } = (
    await call('/v1/digests/destinations', { body: target, headers: key })
  ).body;
  const bundleId = `bun_${orgId}`;
  const messages = appIds.map((appId) => ({
    ...{ id: appId, kind: 'refund', appId, appName: `Name of ${appId}`, text: 'One', at: '' },
  }));
  const bundle = JSON.stringify({ lines: appIds.map((id) => `Name of ${id}: One`), messages });
  await sql`
    INSERT INTO message_bundles (org_id, bundle_id, lines, bundle, created_at)
    VALUES (${orgId}, ${bundleId}, 1, ${bundle}::text::jsonb, now())`;
  const post = { org_id: orgId, bundle_id: bundleId, destination_id: destinationId };
  await sql`INSERT INTO message_posts ${sql({ ...post, created_at: new Date(), state: 'pending' })}`;
  const send = () => sendMessage(ctx, { orgId, bundleId, destinationId });
  return () => send().catch((thrown: Error) => thrown.message);
}

/** Whether the deletion was answered while the call was under way. */
async function deleteDuring(attempt: () => Promise<unknown>, remove: () => Promise<unknown>) {
  const before = told.length;
  const attempted = attempt();
  const one = await until('it is told', async () => told[before]);
  let isAnswered = false;
  const removed = remove().then(() => {
    isAnswered = true;
  });
  await until('the deletion waits, or is over', async () => {
    const waiting = await sql`
      SELECT FROM apps a JOIN outgoing_calls USING (org_id) WHERE a.deleted_at IS NOT NULL`;
    return isAnswered || waiting.length > 0;
  });
  const wasAnswered = isAnswered;
  one.answer();
  await Promise.all([attempted, removed]);
  return wasAnswered;
}

test('the deletion of an app is answered after calls that are under way, and none follows', async () => {
  const org = await createTestOrg(service);
  const { appId } = await createTestApp(service, org.orgId);
  const attempt = await makeDelivery(org, appId);
  const remove = () => call(`/v1/apps/${appId}`, { method: 'DELETE', headers: org.key });
  expect(await deleteDuring(attempt, remove)).toBe(false);
  const before = told.length;
  expect(await attempt()).toBe('not_wanted');
  expect(told.length).toBe(before);
  expect(await sql`SELECT FROM outgoing_calls`).toHaveLength(0);
});

test('messages of a deleted app are sent no more, those of others are', async () => {
  const org = await createTestOrg(service);
  const [gone, left] = [
    await createTestApp(service, org.orgId),
    await createTestApp(service, org.orgId),
  ];
  const send = await makeMessage(org, [gone.appId, left.appId]);
  const remove = (appId: string) =>
    call(`/v1/apps/${appId}`, { method: 'DELETE', headers: org.key });
  expect(await deleteDuring(send, () => remove(gone.appId))).toBe(false);
  const before = told.length;
  const again = send();
  const one = await until('it is told again', async () => told[before]);
  one.answer();
  await again;
  expect([one.text.includes(left.appId), one.text.includes(gone.appId)]).toEqual([true, false]);
  await remove(left.appId);
  await send();
  expect(told.length).toBe(before + 1);
  const posts = await sql<{ state: string }[]>`
    SELECT state FROM message_posts WHERE org_id = ${org.orgId}`;
  expect(onlyRow(posts).state).toBe('failed');
});

test('a deleted organization tells nobody', async () => {
  const org = await createTestOrg(service);
  const { appId } = await createTestApp(service, org.orgId);
  const attempt = await makeDelivery(org, appId);
  await sql`UPDATE webhook_deliveries SET body = '{"type": "webhook.test", "data": {}}'
    WHERE org_id = ${org.orgId}`;
  await sql`DELETE FROM auth.organization WHERE id = ${org.orgId}`;
  expect(await attempt()).toBe('not_wanted');
});
