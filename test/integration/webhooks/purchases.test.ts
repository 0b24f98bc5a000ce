import { describe, expect, test } from 'bun:test';
import { DELIVERIES_OF_PERSON } from '../../../src/modules/webhooks/deliveries-queries.ts';
import { erasePlaces } from '../../../src/storage/stored-rows.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { clock, deps } = service;

const TYPES = [
  'subscription.trial_started.v1',
  'subscription.trial_converted.v1',
  'subscription.canceled.v1',
  'subscription.expired.v1',
  'purchase.refunded.v1',
];

async function subscribed(events: readonly string[] = TYPES): Promise<PurchaseApp> {
  const app = await service.app();
  const body = { url: 'https://example.com/hooks', events };
  const answer = await service.call('/v1/webhooks', { headers: app.org.key, body });
  expect(answer.status).toBe(201);
  return app;
}
const announced = async (app: PurchaseApp) => {
  const rows = await deps.sql<{ body: string; eventId: string | null }[]>`
    SELECT body, event_id AS "eventId" FROM webhook_deliveries WHERE org_id = ${app.org.orgId}
    ORDER BY created_at, delivery_id`;
  return rows.map(({ body }) => JSON.parse(body));
};
const verify = (app: PurchaseApp, signedTransaction: string, userId: string) =>
  service.call('/v1/purchases/verify', {
    headers: app.device,
    body: { signedTransaction, userId },
  });

describe('events of purchases', () => {
  test('say who bought what, for how much and where, once however often it is said', async () => {
    const app = await subscribed();
    const subscription = buy(app, clock.now - 1_000, { trial: true });
    const signed = service.store.sign({
      ...subscription.newest,
      price: 0,
      currency: 'USD',
      storefront: 'DEU',
    });
    for (const _ of [1, 2]) expect((await verify(app, signed, 'u1')).status).toBe(200);
    await service.deliver(subscription, subscription.told[0]!, app);
    const [started, ...others] = await announced(app);
    expect(others).toEqual([]);
    expect(started).toMatchObject({
      type: 'subscription.trial_started.v1',
      data: {
        appId: app.appId,
        environment: 'Production',
        store: 'app_store',
        entitlements: [],
        originalTransactionId: subscription.originalTransactionId,
        productId: 'pro.monthly',
        userIds: ['u1'],
        priceMinor: 0,
        currency: 'USD',
        country: 'DE',
        period: { kind: 'trial' },
        offer: { type: 'introductory', id: null },
        ownership: 'purchased',
      },
    });
    expect(started.id).toMatch(/^evt_[0-9a-f]{32}$/);
  });

  test('follow a subscription from its trial to its refund', async () => {
    const app = await subscribed();
    const subscription = buy(app, clock.now, { trial: true });
    for (const action of ['renew', 'cancel', 'expire', 'resubscribe', 'refund'] as const) {
      subscription.act(action);
    }
    for (const told of subscription.told) {
      clock.now = told.signedDate;
      await service.deliver(subscription, told, app);
    }
    const events = await announced(app);
    expect(events.map(({ type }) => type)).toEqual(TYPES);
    expect(events[3].data).toMatchObject({ reason: 'canceled', willRenew: false });
    expect(events[4].data).toMatchObject({ reason: 'other' });
    expect(new Set(events.map(({ id }) => id)).size).toBe(TYPES.length);
    for (const told of subscription.told) await service.deliver(subscription, told, app);
    expect(await announced(app)).toHaveLength(TYPES.length);
  });

  test('say each refund of a purchase, also one after a refund that was reversed', async () => {
    const types = ['purchase.refunded.v1', 'purchase.refund_reversed.v1'];
    const app = await subscribed(types);
    const subscription = buy(app, clock.now);
    for (const action of ['refund', 'reverseRefund', 'refund'] as const) subscription.act(action);
    for (const told of [...subscription.told, ...subscription.told]) {
      clock.now = told.signedDate;
      await service.deliver(subscription, told, app);
    }
    const events = await announced(app);
    expect(events.map(({ type }) => type)).toEqual([...types, types[0]!]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
  });

  test('that happened long ago are not announced when they are read', async () => {
    const app = await subscribed(['subscription.started.v1']);
    const subscription = buy(app, clock.now - 5 * DAY);
    await verify(app, service.store.sign(subscription.newest), 'u2');
    expect(await announced(app)).toEqual([]);
  });

  test('go with the person whom they name', async () => {
    const app = await subscribed(['subscription.started.v1']);
    const subscription = buy(app, clock.now);
    await verify(app, service.store.sign(subscription.newest), 'gone');
    expect(await announced(app)).toHaveLength(1);
    const scope = { orgId: app.org.orgId, appId: app.appId };
    const gone = { ids: ['gone'], devices: ['gone'] };
    await erasePlaces(deps.sql, [DELIVERIES_OF_PERSON], { ...scope, appId: 'app_other' }, gone);
    expect(await announced(app)).toHaveLength(1);
    await erasePlaces(deps.sql, [DELIVERIES_OF_PERSON], scope, gone);
    expect(await announced(app)).toEqual([]);
  });

  test('are no answer to who only asked for changes of entitlements', async () => {
    const app = await subscribed(['entitlement.changed']);
    const subscription = buy(app, clock.now);
    await verify(app, service.store.sign(subscription.newest), 'u3');
    const [event, ...others] = await announced(app);
    expect(others).toEqual([]);
    expect(Object.keys(event)).toEqual(['type', 'timestamp', 'data']);
    expect(Object.keys(event.data)).toEqual(['appId', 'environment', 'originalTransactionId']);
  });
});
