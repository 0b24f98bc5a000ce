import { expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { sql } = service.deps;

async function subscribed() {
  const org = await createTestOrg(service);
  const body = { url: 'https://example.com/hooks/T0secret', events: ['audit.recorded'] };
  const made = await service.call('/v1/webhooks', { headers: org.key, body });
  expect(made.status).toBe(201);
  return { org, webhookId: String(made.body.webhook.id), secret: String(made.body.secret) };
}
async function toldTo(orgId: string) {
  const rows = await sql<{ body: string; people: string[] }[]>`
    SELECT body, person_ids AS people FROM webhook_deliveries
    WHERE org_id = ${orgId} AND event_type = 'audit.recorded' ORDER BY created_at, delivery_id`;
  return rows.map(({ body, people }) => ({ ...JSON.parse(body), people }));
}

test('each entry is told once, as the list has it, to its organization only', async () => {
  const { org, secret } = await subscribed();
  const other = await subscribed();
  const app = await createTestApp(service, org.orgId);
  const flag = { key: 'dark', type: 'boolean', value: false };
  const mark = { body: { day: '2026-07-01', text: 'Sale' }, headers: org.key };
  await service.call(`/v1/apps/${app.appId}/marks`, mark);
  await service.call(`/v1/apps/${app.appId}/flags`, { body: flag, headers: org.key });
  const { entries } = (await service.call('/v1/audit', { headers: org.key })).body;
  const told = await toldTo(org.orgId);
  const ids = entries.map(({ id }: { id: string }) => id);
  expect(told.map(({ id }) => id)).toEqual(ids.toReversed());
  expect(told.map(({ data }) => data)).toEqual(entries.toReversed());
  expect(told.length).toBeGreaterThanOrEqual(2);
  expect(JSON.stringify(told)).not.toContain('T0secret');
  expect(JSON.stringify(told)).not.toContain(secret);
  const operations = (await toldTo(other.org.orgId)).map(({ data }) => data.operation);
  expect(operations).toEqual(['createWebhook']);
});

test('an act without a changed row is told, a refused one is not', async () => {
  const { org, webhookId } = await subscribed();
  const gone = { method: 'DELETE', headers: org.key };
  expect((await service.call('/v1/webhooks/whk_nobody', gone)).status).toBe(404);
  const from = new Date(Date.now() - 60_000).toISOString();
  const resend = { headers: org.key, body: { from } };
  expect((await service.call(`/v1/webhooks/${webhookId}/resend`, resend)).status).toBeLessThan(300);
  const operations = (await toldTo(org.orgId)).map(({ data }) => data.operation);
  expect(operations).toEqual(['createWebhook', 'resendWebhookDeliveries']);
});

test('an erasure takes what was told about the person', async () => {
  const { org } = await subscribed();
  const app = await createTestApp(service, org.orgId);
  const path = `/v1/apps/${app.appId}`;
  const body = { userId: 'marked-person', productId: 'pro' };
  await service.call(`${path}/purchases/grants`, { headers: org.key, body });
  const about = async () =>
    (await toldTo(org.orgId)).filter((one) => JSON.stringify(one).includes('marked-person'));
  expect((await about()).map(({ people }) => people)).toEqual([['marked-person']]);
  const gone = { method: 'DELETE', headers: org.key };
  expect((await service.call(`${path}/people/marked-person`, gone)).status).toBe(204);
  expect(await about()).toEqual([]);
});
