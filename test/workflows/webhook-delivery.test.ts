import { describe, expect, test } from 'bun:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { createActivities } from '../../activities/index.ts';
import { webhookDeliveryContract } from '../../src/temporal/contracts/webhooks.ts';
import { keepHistory } from '../support/history.ts';
import { testDatabase } from '../support/postgres.ts';
import { createTestOrg, startTestService, type TestOrg } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

type Received = { path: string; headers: Record<string, string>; body: string };
const received: Received[] = [];
const answers = new Map<string, number[]>();
/** What happens while the server has a post and has not answered yet. */
const beforeAnswer = new Map<string, () => Promise<unknown>>();

/** A customer's server: answers what it is told, path by path. */
const receiver = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    const path = new URL(request.url).pathname;
    const headers = Object.fromEntries(request.headers);
    received.push({ path, headers, body: await request.text() });
    await beforeAnswer.get(path)?.();
    return new Response('ok', { status: answers.get(path)?.shift() ?? 200 });
  },
});

const temporal = await testTemporal();
const service = await startTestService(await testDatabase(), {
  temporal,
  env: { EGRESS_ALLOW: `127.0.0.1:${receiver.port}` },
});
const { deps } = service;
/** What happens after a delivery was written down and before its run hears of it. */
const beforeEnding: ((deliveryId: string) => Promise<unknown>)[] = [];
const { attemptWebhookDelivery } = createActivities(deps, []);
await startTestWorker(deps, temporal, {
  attemptWebhookDelivery: async (input) => {
    const outcome = await attemptWebhookDelivery(input);
    if (outcome === 'delivered') await beforeEnding.shift()?.(input.deliveryId);
    return outcome;
  },
});

const register = async (org: TestOrg, path: string, events = ['app.created', 'app.deleted']) => {
  const body = { url: `http://127.0.0.1:${receiver.port}${path}`, events };
  const answer = await service.call('/v1/webhooks', { headers: org.key, body });
  expect(answer.status).toBe(201);
  return answer.body as { webhook: { id: string }; secret: string };
};
const createApp = async (org: TestOrg, slug: string) =>
  (await service.call('/v1/apps', { headers: org.key, body: { slug, displayName: slug } })).body;
const deliveries = async (org: TestOrg, id: string) =>
  (await service.call(`/v1/webhooks/${id}/deliveries`, { headers: org.key })).body.deliveries;
const arrived = (path: string, count = 1) =>
  until(`${count} posts to ${path}`, async () => {
    const found = received.filter((one) => one.path === path);
    return found.length >= count ? found : null;
  });
const finished = (org: TestOrg, id: string, status: string) =>
  until(`a ${status} delivery`, async () => {
    const [latest] = await deliveries(org, id);
    return latest?.status === status ? latest : null;
  });

describe('webhooks', () => {
  test('an event arrives signed, and the log says so', async () => {
    const org = await createTestOrg(service);
    const { webhook, secret } = await register(org, '/plain');
    const app = await createApp(org, 'hooked-app');
    const [post] = await arrived('/plain');
    const message = new Verifier(secret).verify(post!.body, post!.headers) as any;
    expect(message).toMatchObject({
      type: 'app.created',
      data: { id: app.id, slug: 'hooked-app' },
    });
    expect(message.timestamp).toBeString();
    const delivery = await finished(org, webhook.id, 'delivered');
    expect(delivery).toMatchObject({ id: post!.headers['webhook-id'], event: 'app.created' });
    expect(delivery.attempts).toHaveLength(1);
    expect(delivery.attempts[0]).toMatchObject({ responseStatus: 200, error: null });
    const workflowId = webhookDeliveryContract.workflowId({ orgId: '', deliveryId: delivery.id });
    await keepHistory(temporal.client, workflowId, 'webhook-delivery/delivered');
  });

  test('only subscribers of this organization and this event get it', async () => {
    const org = await createTestOrg(service);
    const other = await createTestOrg(service);
    await register(org, '/deleted-only', ['app.deleted']);
    await register(other, '/other-organization');
    await register(org, '/everything');
    const { id } = await createApp(org, 'quiet-app');
    await arrived('/everything');
    await service.call(`/v1/apps/${id}`, { method: 'DELETE', headers: org.key });
    const [deleted] = await arrived('/deleted-only');
    expect(JSON.parse(deleted!.body)).toMatchObject({ type: 'app.deleted', data: { id } });
    expect(received.some((one) => one.path === '/other-organization')).toBe(false);
    expect(received.filter((one) => one.path === '/deleted-only')).toHaveLength(1);
  });

  test('a refused delivery is tried again under the same id', async () => {
    const org = await createTestOrg(service);
    answers.set('/flaky', [500]);
    const { webhook } = await register(org, '/flaky');
    await createApp(org, 'flaky-app');
    const posts = await arrived('/flaky', 2);
    expect(posts[0]!.headers['webhook-id']).toBe(posts[1]!.headers['webhook-id']!);
    expect(posts[0]!.body).toBe(posts[1]!.body);
    const delivery = await finished(org, webhook.id, 'delivered');
    expect(delivery.attempts.map((one: any) => one.responseStatus)).toEqual([500, 200]);
    const workflowId = webhookDeliveryContract.workflowId({ orgId: '', deliveryId: delivery.id });
    await keepHistory(temporal.client, workflowId, 'webhook-delivery/second-attempt');
  });

  test('redelivery by hand wakes a run that waits, and repeats one that is done', async () => {
    const org = await createTestOrg(service);
    answers.set('/by-hand', [500, 500]);
    const { webhook } = await register(org, '/by-hand');
    await createApp(org, 'by-hand-app');
    await arrived('/by-hand', 2);
    const [waiting] = await deliveries(org, webhook.id);
    const path = `/v1/webhooks/${webhook.id}/deliveries/${waiting.id}/redeliver`;
    const accepted = await service.call(path, { method: 'POST', headers: org.key });
    expect(accepted.status).toBe(202);
    // The wait before the third attempt would be a minute.
    await arrived('/by-hand', 3);
    await finished(org, webhook.id, 'delivered');
    await service.call(path, { method: 'POST', headers: org.key });
    await arrived('/by-hand', 4);
    await finished(org, webhook.id, 'delivered');
  });

  test('redelivery by hand is not lost on an attempt that is under way', async () => {
    const org = await createTestOrg(service);
    answers.set('/under-way', [500, 500]);
    const { webhook } = await register(org, '/under-way');
    let posts = 0;
    beforeAnswer.set('/under-way', async () => {
      posts += 1;
      if (posts !== 2) return;
      const [waiting] = await deliveries(org, webhook.id);
      const path = `/v1/webhooks/${webhook.id}/deliveries/${waiting.id}/redeliver`;
      await service.call(path, { method: 'POST', headers: org.key });
    });
    await createApp(org, 'under-way-app');
    // Two attempts failed: by itself the third would come a minute later.
    await arrived('/under-way', 3);
    await finished(org, webhook.id, 'delivered');
  });

  test('redelivery by hand is not lost on a run that is just ending', async () => {
    const org = await createTestOrg(service);
    const { webhook } = await register(org, '/ending');
    beforeEnding.push((id) =>
      service.call(`/v1/webhooks/${webhook.id}/deliveries/${id}/redeliver`, {
        method: 'POST',
        headers: org.key,
      }),
    );
    await createApp(org, 'ending-app');
    await arrived('/ending', 2);
    const delivery = await finished(org, webhook.id, 'delivered');
    expect(delivery.attempts.map((one: any) => one.responseStatus)).toEqual([200, 200]);
    const workflowId = webhookDeliveryContract.workflowId({ orgId: '', deliveryId: delivery.id });
    await keepHistory(temporal.client, workflowId, 'webhook-delivery/wanted-while-ending');
    expect(received.filter((one) => one.path === '/ending')).toHaveLength(2);
  });

  test('an address that has become private is not posted to, and fails at once', async () => {
    const org = await createTestOrg(service);
    const { webhook } = await register(org, '/moved');
    await deps.sql`UPDATE webhooks SET url = 'https://10.0.0.1/x' WHERE webhook_id = ${webhook.id}`;
    await createApp(org, 'moved-app');
    const delivery = await finished(org, webhook.id, 'failed');
    expect(delivery.attempts[0].responseStatus).toBeNull();
    expect(delivery.attempts[0].error).toContain('public internet');
  });

  test('a removed webhook ends its deliveries', async () => {
    const org = await createTestOrg(service);
    answers.set('/removed', [500]);
    const { webhook } = await register(org, '/removed');
    await createApp(org, 'removed-app');
    await arrived('/removed');
    const [delivery] = await deliveries(org, webhook.id);
    const gone = await service.call(`/v1/webhooks/${webhook.id}`, {
      method: 'DELETE',
      headers: org.key,
    });
    expect(gone.status).toBe(204);
    const handle = temporal.client.workflow.getHandle(
      webhookDeliveryContract.workflowId({ orgId: org.orgId, deliveryId: delivery.id }),
    );
    await handle.result();
    expect(received.filter((one) => one.path === '/removed')).toHaveLength(1);
    expect((await service.call('/v1/webhooks', { headers: org.key })).body).toEqual([]);
  });
});

describe('registration', () => {
  test.each([
    'http://example.com/hooks',
    'https://127.0.0.1/hooks',
    'https://[::ffff:10.0.0.1]/hooks',
    'https://user:password@example.com/',
    'ftp://example.com/x',
    'not an address',
  ])('%s is refused', async (url) => {
    const org = await createTestOrg(service);
    const body = { url, events: ['app.created'] };
    const answer = await service.call('/v1/webhooks', { headers: org.key, body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.hint).toStartWith('url: ');
  });

  test('ten webhooks an organization, also when they come at once', async () => {
    const org = await createTestOrg(service);
    const body = { url: 'https://example.com/x', events: ['app.created'] };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => service.call('/v1/webhooks', { headers: org.key, body })),
    );
    const statuses = answers.map((answer) => answer.status).toSorted();
    expect(statuses).toEqual([...Array(10).fill(201), 409, 409]);
  });

  test('the secret is stored sealed and shown once', async () => {
    const org = await createTestOrg(service);
    const { webhook, secret } = await register(org, '/sealed');
    const [row] = await deps.sql`SELECT * FROM webhooks WHERE webhook_id = ${webhook.id}`;
    expect(JSON.stringify(row)).not.toContain(secret.replace('whsec_', ''));
    const list = await service.call('/v1/webhooks', { headers: org.key });
    expect(list.text).not.toContain('whsec_');
  });

  test('deliveries come in pages, newest first', async () => {
    const org = await createTestOrg(service);
    const { webhook } = await register(org, '/pages');
    for (const slug of ['page-one', 'page-two', 'page-three']) await createApp(org, slug);
    await arrived('/pages', 3);
    const path = `/v1/webhooks/${webhook.id}/deliveries`;
    const first = await service.call(`${path}?limit=2`, { headers: org.key });
    expect(first.body.deliveries).toHaveLength(2);
    const rest = await service.call(`${path}?limit=2&cursor=${first.body.nextCursor}`, {
      headers: org.key,
    });
    expect(rest.body.deliveries).toHaveLength(1);
    expect(rest.body.nextCursor).toBeNull();
  });
});
