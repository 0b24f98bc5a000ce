import { describe, expect, test } from 'bun:test';
import { selectKey } from '../../../src/modules/sales/collection/connection-queries.ts';
import {
  noteSuccess,
  noteSyncError,
} from '../../../src/modules/sales/collection/connection-status.ts';
import { must } from '../../../src/shared/assert.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, startPurchaseService } from '../../support/purchase-service.ts';
import { createTestOrg, type TestOrg, type TestService } from '../../support/service.ts';
import { placeConnection, startStoreSuite } from '../../support/store.ts';

const announced = async ({ deps }: TestService, org: TestOrg) => {
  const rows = await deps.sql<{ body: string }[]>`
    SELECT body FROM webhook_deliveries WHERE org_id = ${org.orgId} ORDER BY delivery_id`;
  return rows.map(({ body }) => JSON.parse(body));
};

const subscribe = async (service: TestService, org: TestOrg, event: string) => {
  const body = { url: 'https://example.com/hooks', events: [event] };
  const answer = await service.call('/v1/webhooks', { headers: org.key, body });
  expect(answer.status).toBe(201);
};

describe('store.connection_changed', () => {
  const INVALID = {
    invalid: true,
    keyAccepted: false,
    message: 'The store does not accept the key any more.',
  };

  test('says each change once: rejected, accepted again, removed', async () => {
    const suite = await startStoreSuite(await testDatabase());
    const org = await createTestOrg(suite);
    await subscribe(suite, org, 'store.connection_changed');
    await placeConnection(suite, org.orgId);
    const key = must(await selectKey(suite.deps.sql, org.orgId), 'placed above');
    const note = (trouble: typeof INVALID | null) =>
      trouble ? noteSyncError(suite.deps, key, trouble) : noteSuccess(suite.deps, key);
    for (const trouble of [null, INVALID, INVALID, null, null]) await note(trouble);
    await suite.call('/v1/store/connection', { method: 'DELETE', headers: org.key });
    await suite.call('/v1/store/connection', { method: 'DELETE', headers: org.key });

    const events = await announced(suite, org);
    expect(events.map((event) => event.data)).toEqual([
      { status: 'invalid', lastError: INVALID.message },
      { status: 'connected', lastError: null },
      { status: 'disconnected', lastError: null },
    ]);
    expect(events[0]).toMatchObject({ type: 'store.connection_changed' });
  });
});

describe('entitlement.changed', () => {
  test('says that a purchase came and that it was refunded, and nothing for what is known', async () => {
    const service = await startPurchaseService(await testDatabase());
    const app = await service.app();
    await subscribe(service, app.org, 'entitlement.changed');
    const subscription = buy(app, service.clock.now - 86_400_000);
    const signedTransaction = service.store.sign(subscription.newest);
    const verify = () =>
      service.call('/v1/purchases/verify', {
        headers: app.device,
        body: { signedTransaction, userId: 'u1' },
      });
    expect((await verify()).status).toBe(200);
    expect((await verify()).status).toBe(200);
    const events = await announced(service, app.org);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: 'entitlement.changed',
      data: { appId: app.appId, environment: 'Production' },
    });
    subscription.refund();
    await service.deliver(subscription, subscription.told.at(-1)!, app);
    expect(await announced(service, app.org)).toHaveLength(2);
  });

  test('says who held a purchase and who holds it now', async () => {
    const service = await startPurchaseService(await testDatabase());
    const app = await service.app();
    await subscribe(service, app.org, 'entitlement.changed');
    const subscription = buy(app, service.clock.now - 86_400_000);
    const verify = async (userId: string, anonymousId?: string) => {
      const before = (await announced(service, app.org)).length;
      const signedTransaction = service.store.sign(subscription.newest);
      const body = { signedTransaction, userId, anonymousId };
      await service.call('/v1/purchases/verify', { headers: app.device, body });
      const events = (await announced(service, app.org)).slice(before);
      return events.map(({ data }) => [data.originalTransactionId, data.userId]).toSorted();
    };
    const own = (userId: string) => [subscription.originalTransactionId, userId];
    // Known by the store's word alone.
    await service.deliver(subscription, subscription.told[0]!, app);
    expect(await verify('u1')).toEqual([own('u1')]);
    expect(await verify('u1')).toEqual([]);
    expect(await verify('u2')).toEqual([own('u1'), own('u2')]);
    const settings = `/v1/apps/${app.appId}/purchases/settings`;
    const setRule = (ownership: string) =>
      service.call(settings, { method: 'PATCH', headers: app.org.key, body: { ownership } });
    await setRule('keep');
    expect(await verify('u3')).toEqual([]);
    await setRule('share');
    expect(await verify('u3')).toEqual([own('u3')]);
    await setRule('transfer');
    expect(await verify('u4')).toEqual([own('u2'), own('u3'), own('u4')]);
  });

  test('says whose account a purchase was signed for before', async () => {
    const service = await startPurchaseService(await testDatabase());
    const app = await service.app();
    await subscribe(service, app.org, 'entitlement.changed');
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
    const subscription = buy(app, service.clock.now - 70 * 86_400_000, { appAccountToken: one });
    const verify = (userId: string) =>
      service.call('/v1/purchases/verify', {
        headers: app.device,
        body: { signedTransaction: service.store.sign(subscription.newest), userId },
      });
    await service.deliver(subscription, subscription.told[0]!, app);
    await verify('alice');
    subscription.cancel();
    subscription.expire();
    subscription.now = service.clock.now - 86_400_000;
    subscription.terms = { appAccountToken: two };
    subscription.resubscribe();
    await service.deliver(subscription, subscription.told.at(-1)!, app);
    await verify('bob');
    const events = await announced(service, app.org);
    expect(events.map(({ data }) => data.userId).filter(Boolean)).toEqual(
      expect.arrayContaining(['alice', 'bob']),
    );
    expect(events.filter(({ data }) => data.userId === 'alice')).toHaveLength(2);
  });
});
