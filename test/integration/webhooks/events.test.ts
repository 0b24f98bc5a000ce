import { describe, expect, test } from 'bun:test';
import { announceEvents } from '../../../src/modules/webhooks/index.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const now = { at: new Date('2026-11-27T09:00:00Z') };
const service = await startTestService(await testDatabase(), {
  with: () => ({ clock: () => now.at }),
});
const { call, deps } = service;
const url = 'https://example.com/hooks';
const WISH = { url, events: ['event.received'], eventNames: ['purchase_completed'] };

async function started(wish: object = WISH) {
  const org = await createTestOrg(service);
  const app = await createTestApp(service, org.orgId);
  const { status, body } = await call('/v1/webhooks', { headers: org.key, body: wish });
  expect(status).toBe(201);
  const send = async (events: object[], headers: object = {}) => {
    const sent = { events, context: { platform: 'ios' } };
    const answer = await call('/v1/events', { body: sent, headers: { ...app.device, ...headers } });
    expect(answer.status).toBe(202);
  };
  const told = async () => {
    await compactEverything({
      ...deps,
      onStored: (tx, rows) => announceEvents(tx, deps.clock, rows),
    });
    const rows = await deps.sql<{ body: string; status: string }[]>`
      SELECT body, status FROM webhook_deliveries WHERE org_id = ${org.orgId}`;
    return rows.map(({ status, body }) => ({ status, ...JSON.parse(body) }));
  };
  const change = (wish: object) =>
    call(`/v1/webhooks/${body.webhook.id}`, { method: 'PATCH', headers: org.key, body: wish });
  const list = async () => (await call('/v1/webhooks', { headers: org.key })).body;
  return { org, app, send, told, change, list, webhook: body.webhook };
}

const bought = (i: number, name = 'purchase_completed') => ({
  id: `event-${String(i).padStart(6, '0')}`,
  name,
  anonymousId: 'device-0001',
  ts: '2026-11-27T08:59:00.000Z',
  props: { plan: 'year', i },
});

describe('a webhook on events of apps', () => {
  test('is told of the named ones, once however often they are sent', async () => {
    const { app, send, told, webhook } = await started();
    expect(webhook).toMatchObject({ eventNames: ['purchase_completed'] });
    expect(webhook).not.toHaveProperty('eventOneIn');
    const other = await started();
    const events = [bought(1), bought(2, 'app_opened'), bought(3)];
    await send(events);
    await send(events);
    expect(await told()).toHaveLength(2);
    await send(events);
    const all = await told();
    expect(all.map(({ data }) => data.props.i).toSorted()).toEqual([1, 3]);
    expect(all[0]).toMatchObject({
      type: 'event.received',
      status: 'pending',
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      data: {
        appId: app.appId,
        environment: 'production',
        name: 'purchase_completed',
        personId: 'device-0001',
        userId: null,
        anonymousId: 'device-0001',
        occurredAt: '2026-11-27T08:59:00.000Z',
        platform: 'ios',
        country: null,
      },
    });
    expect(await other.told()).toEqual([]);
  });

  test('is told of one in so many, chosen by the id', async () => {
    const { send, told } = await started({ ...WISH, eventOneIn: 4 });
    for (let batch = 0; batch < 4; batch += 1) {
      await send(Array.from({ length: 100 }, (_, i) => bought(batch * 100 + i)));
    }
    const { length } = await told();
    expect(length).toBeGreaterThan(60);
    expect(length).toBeLessThan(140);
  });

  test('is told of 1,000 an hour, and says when more came', async () => {
    const { send, told, list } = await started();
    for (let batch = 0; batch < 11; batch += 1) {
      await send(Array.from({ length: 100 }, (_, i) => bought(batch * 100 + i)));
    }
    expect(await told()).toHaveLength(1_000);
    expect((await list())[0].eventsLeftOutAt).toBe(now.at.toISOString());
    now.at = new Date(now.at.getTime() + 3_601_000);
    await send([bought(5_000)]);
    expect(await told()).toHaveLength(1_001);
  });

  test('keeps what happens while it is off, as failed', async () => {
    const { send, told, change } = await started();
    expect((await change({ enabled: false })).status).toBe(200);
    await send([bought(1)]);
    expect(await told()).toMatchObject([{ status: 'failed' }]);
  });

  test('needs a name, at its creation and after a change', async () => {
    const { org, change, list } = await started();
    const body = { url, events: ['event.received'] };
    const refused = await call('/v1/webhooks', { headers: org.key, body });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('eventNames');
    expect((await change({ eventNames: [] })).status).toBe(400);
    expect(await list()).toMatchObject([{ eventNames: ['purchase_completed'] }]);
    const { status, body: changed } = await change({ events: ['app.created'], eventNames: [] });
    expect(status).toBe(200);
    expect(changed).not.toHaveProperty('eventNames');
  });
});
