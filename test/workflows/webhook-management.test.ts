import { describe, expect, test } from 'bun:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { SUBSCRIBABLE_EVENTS } from '../../src/modules/webhooks/events.ts';
import { ensureMissingDeliveryRuns } from '../../src/modules/webhooks/slots.ts';
import { testDatabase } from '../support/postgres.ts';
import { createTestOrg, startTestService, type TestOrg } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

type Received = { path: string; headers: Record<string, string>; body: string };
const received: Received[] = [];
const receiver = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    const headers = Object.fromEntries(request.headers);
    received.push({ path: new URL(request.url).pathname, headers, body: await request.text() });
    return new Response('ok');
  },
});
const temporal = await testTemporal();
const service = await startTestService(await testDatabase(), {
  temporal,
  env: { EGRESS_ALLOW: `127.0.0.1:${receiver.port}` },
});
await startTestWorker(service.deps, temporal);

const urlOf = (path: string) => `http://127.0.0.1:${receiver.port}${path}`;
async function register(org: TestOrg, path: string, events: readonly string[] = ['app.created']) {
  const body = { url: urlOf(path), events };
  const answer = await service.call('/v1/webhooks', { headers: org.key, body });
  expect(answer.status).toBe(201);
  return answer.body as { webhook: { id: string }; secret: string };
}
const post = (org: TestOrg, id: string, what: string, body: object = {}) =>
  service.call(`/v1/webhooks/${id}/${what}`, { headers: org.key, body });
const patch = (org: TestOrg, id: string, body: object) =>
  service.call(`/v1/webhooks/${id}`, { method: 'PATCH', headers: org.key, body });
const deliveries = async (org: TestOrg, id: string) =>
  (await service.call(`/v1/webhooks/${id}/deliveries`, { headers: org.key })).body.deliveries;
const createApp = async (org: TestOrg, slug: string) =>
  (await service.call('/v1/apps', { headers: org.key, body: { slug, displayName: slug } })).body;
const arrived = (path: string, count = 1) =>
  until(`${count} posts to ${path}`, () => {
    const found = received.filter((one) => one.path === path);
    return found.length >= count ? found : null;
  });
const settled = (org: TestOrg, id: string, status: string, count = 1) =>
  until(`${count} ${status} deliveries`, async (saw) => {
    const all = await deliveries(org, id);
    saw(all);
    return all.filter((one: any) => one.status === status).length === count;
  });

describe('a test event', () => {
  test('arrives signed and marked, whatever the webhook is subscribed to', async () => {
    const org = await createTestOrg(service);
    const { webhook, secret } = await register(org, '/test');
    const { status, body } = await post(org, webhook.id, 'test');
    expect(status).toBe(202);
    const [sent] = await arrived('/test');
    expect(sent!.headers['webhook-id']).toBe(body.deliveryId);
    expect(new Verifier(secret).verify(sent!.body, sent!.headers)).toMatchObject({
      type: 'webhook.test',
      test: true,
      data: { webhookId: webhook.id },
    });
  });

  test('is an example of any type on request', async () => {
    const org = await createTestOrg(service);
    const { webhook } = await register(org, '/examples');
    for (const event of SUBSCRIBABLE_EVENTS) {
      expect((await post(org, webhook.id, 'test', { event })).status).toBe(202);
    }
    const sent = await arrived('/examples', SUBSCRIBABLE_EVENTS.length);
    const types = sent.map(({ body }) => JSON.parse(body).type);
    expect(types.toSorted()).toEqual([...SUBSCRIBABLE_EVENTS].toSorted());
    expect((await post(org, webhook.id, 'test', { event: 'app.painted' })).status).toBe(400);
  });
});

describe('a webhook that is switched off', () => {
  test('gets nothing; what happened meanwhile is sent on request', async () => {
    const org = await createTestOrg(service);
    const { webhook } = await register(org, '/off');
    const off = await patch(org, webhook.id, { enabled: false });
    expect(off.status).toBe(200);
    expect(off.body.disabledAt).toBeString();
    await createApp(org, 'while-off');
    await settled(org, webhook.id, 'failed');
    expect((await post(org, webhook.id, 'test')).body.error.code).toBe('conflict');
    const from = new Date(Date.now() - 60_000).toISOString();
    expect((await post(org, webhook.id, 'resend', { from })).status).toBe(409);
    const [kept] = await deliveries(org, webhook.id);
    expect((await post(org, webhook.id, `deliveries/${kept.id}/redeliver`)).status).toBe(409);
    expect(received.some(({ path }) => path === '/off')).toBe(false);

    const on = await patch(org, webhook.id, { enabled: true });
    expect(on.body.disabledAt).toBeNull();
    const resent = await post(org, webhook.id, 'resend', { from });
    expect([resent.status, resent.body]).toEqual([202, { accepted: 1, nextFrom: null }]);
    await ensureMissingDeliveryRuns(service.deps);
    const [sent] = await arrived('/off');
    expect(JSON.parse(sent!.body)).toMatchObject({ data: { slug: 'while-off' } });
    await settled(org, webhook.id, 'delivered');
  });

  test('keeps being off when something else of it changes', async () => {
    const org = await createTestOrg(service);
    const { webhook } = await register(org, '/still-off');
    const { disabledAt } = (await patch(org, webhook.id, { enabled: false })).body;
    const changed = await patch(org, webhook.id, { url: urlOf('/moved'), events: ['app.deleted'] });
    expect(changed.body).toMatchObject({
      url: urlOf('/moved'),
      events: ['app.deleted'],
      disabledAt,
    });
    expect((await patch(org, webhook.id, { enabled: false })).body.disabledAt).toBe(disabledAt);
    expect((await patch(org, webhook.id, {})).status).toBe(400);
    const refused = await patch(org, webhook.id, { url: 'http://127.0.0.1:1/hook' });
    expect(refused.status).toBe(400);
    expect(refused.body.error.hint).toContain('EGRESS_ALLOW=127.0.0.1:1');
  });
});

describe('a secret that is replaced', () => {
  test('signs beside the new one until the overlap is over', async () => {
    const org = await createTestOrg(service);
    const { webhook, secret } = await register(org, '/rotated');
    const rotated = await post(org, webhook.id, 'rotate', { overlapSeconds: 3_600 });
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).not.toBe(secret);
    expect(rotated.body.webhook.previousSecretUntil).toBeString();
    await post(org, webhook.id, 'test');
    const [both] = await arrived('/rotated');
    for (const one of [secret, rotated.body.secret]) {
      expect(new Verifier(one).verify(both!.body, both!.headers)).toMatchObject({ test: true });
    }
    await service.deps.sql`
      UPDATE webhooks SET previous_secret_until = now() WHERE webhook_id = ${webhook.id}`;
    await post(org, webhook.id, 'test');
    const alone = (await arrived('/rotated', 2))[1]!;
    expect(new Verifier(rotated.body.secret).verify(alone.body, alone.headers)).toBeTruthy();
    expect(() => new Verifier(secret).verify(alone.body, alone.headers)).toThrow();
  });

  test('ends at once without an overlap', async () => {
    const org = await createTestOrg(service);
    const { webhook, secret } = await register(org, '/at-once');
    const rotated = await post(org, webhook.id, 'rotate', { overlapSeconds: 0 });
    expect(rotated.body.webhook.previousSecretUntil).toBeNull();
    await post(org, webhook.id, 'test');
    const [sent] = await arrived('/at-once');
    expect(() => new Verifier(secret).verify(sent!.body, sent!.headers)).toThrow();
    expect((await post(org, webhook.id, 'rotate', { overlapSeconds: -1 })).status).toBe(400);
  });
});

describe('a range that is sent again', () => {
  test('is what failed in it, a thousand at a time, oldest first', async () => {
    const org = await createTestOrg(service);
    const { webhook } = await register(org, '/range');
    await service.deps.sql`
      INSERT INTO webhook_deliveries (delivery_id, org_id, webhook_id, event_type, body, status,
        created_at)
      SELECT 'dlv_range' || n || ${org.orgId}, ${org.orgId}, ${webhook.id}, 'app.created', '{}',
        CASE WHEN n % 2 = 0 THEN 'failed' ELSE 'delivered' END,
        '2026-01-01T00:00:00Z'::timestamptz + make_interval(secs => n)
      FROM generate_series(0, 2019) AS n`;
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
    await service.deps.sql`UPDATE webhooks SET url = ${urlOf('/range')}`;
    const first = await post(org, webhook.id, 'resend', range);
    expect(first.body).toEqual({ accepted: 1_000, nextFrom: '2026-01-01T00:33:20.000Z' });
    const rest = await post(org, webhook.id, 'resend', { ...range, from: first.body.nextFrom });
    expect(rest.body).toEqual({ accepted: 10, nextFrom: null });
    expect((await post(org, webhook.id, 'resend', range)).body.accepted).toBe(0);
    const counts = await service.deps.sql`
      SELECT status, count(*) AS count FROM webhook_deliveries
      WHERE webhook_id = ${webhook.id} GROUP BY status ORDER BY status`;
    expect(counts.map(({ status, count }) => [status, count])).toEqual([
      ['delivered', 1_010],
      ['pending', 1_010],
    ]);
    await service.deps.sql`DELETE FROM webhook_deliveries WHERE webhook_id = ${webhook.id}`;
  });

  test('is at most thirty days, and not turned round', async () => {
    const org = await createTestOrg(service);
    const { webhook } = await register(org, '/bounds');
    const resend = async (from: string, to: string) =>
      (await post(org, webhook.id, 'resend', { from, to })).status;
    expect(await resend('2026-01-01T00:00:00Z', '2026-01-31T00:00:00Z')).toBe(202);
    expect(await resend('2026-01-01T00:00:00Z', '2026-01-31T00:00:01Z')).toBe(400);
    expect(await resend('2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z')).toBe(400);
  });
});
