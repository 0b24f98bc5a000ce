import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { clock, store } = service;

const get = (app: PurchaseApp, rest: string) =>
  service.call(`/v1/apps/${app.appId}/purchases/customers${rest}`, { headers: app.org.key });
const search = async (app: PurchaseApp, text: string) =>
  (await get(app, `?search=${encodeURIComponent(text)}`)).body;
const ids = (page: { customers: { originalTransactionId: string }[] }) =>
  page.customers.map((one) => one.originalTransactionId);

async function bought(app: PurchaseApp, who: Record<string, string>, options = {}) {
  const subscription = buy(app, clock.now - DAY, options);
  const answer = await service.call('/v1/purchases/verify', {
    headers: app.device,
    body: { signedTransaction: store.sign(subscription.newest), ...who },
  });
  expect(answer.status).toBe(200);
  return subscription;
}

describe('the list of customers', () => {
  test('has every purchase with who holds it, newest first, in pages', async () => {
    const app = await service.app();
    const made = [];
    for (const userId of ['u1', 'u2', 'u3']) made.push(await bought(app, { userId }));
    await bought(app, { userId: 'tester' }, { environment: 'Sandbox' });
    const newest = made.map((one) => one.originalTransactionId).toReversed();
    const first = (await get(app, '?limit=2')).body;
    expect(ids(first)).toEqual(newest.slice(0, 2));
    expect(first.customers[0]).toMatchObject({
      customerId: 'u3',
      userId: 'u3',
      environment: 'Production',
      productId: 'pro.monthly',
      status: 'active',
    });
    const second = (await get(app, `?limit=2&cursor=${first.nextCursor}`)).body;
    expect([ids(second), second.nextCursor]).toEqual([newest.slice(2), null]);
    const sandbox = (await get(app, '?environment=Sandbox')).body;
    expect(sandbox.customers).toMatchObject([{ userId: 'tester' }]);
  });

  test('of one state has every purchase of it, over pages of the others', async () => {
    const app = await service.app();
    const troubled: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      const one = await bought(app, { userId: `u${index}` });
      if (index % 3 !== 0) continue;
      one.act('failIntoGrace');
      await service.deliver(one, one.told.at(-1)!, app);
      troubled.unshift(one.originalTransactionId);
    }
    const first = (await get(app, '?limit=2&state=trouble')).body;
    expect(ids(first)).toEqual(troubled.slice(0, 2));
    const [shown] = first.customers;
    expect(shown).toMatchObject({ status: 'billing_grace' });
    expect(shown.graceExpiresAt > shown.expiresAt).toBe(true);
    const second = (await get(app, `?limit=2&state=trouble&cursor=${first.nextCursor}`)).body;
    expect([ids(second), second.nextCursor]).toEqual([troubled.slice(2), null]);
    expect(ids((await get(app, '?state=active')).body)).toHaveLength(4);
    expect((await get(app, '?state=ended')).body).toMatchObject({
      customers: [],
      nextCursor: null,
    });
    expect((await get(app, '?state=all')).status).toBe(400);
  });

  test('is searched by user, anonymous id, token and any transaction, exactly', async () => {
    const app = await service.app();
    const token = '0b7d1a52-38b8-4f1e-9e30-7c1f0a6d2c11';
    const one = await bought(app, { anonymousId: 'anonymous-1', userId: 'u1' });
    const two = await bought(app, {}, { appAccountToken: token });
    one.act('renew');
    await service.deliver(one, one.told.at(-1)!, app);
    for (const text of ['u1', 'anonymous-1', one.originalTransactionId, one.newest.transactionId]) {
      expect(ids(await search(app, text))).toEqual([one.originalTransactionId]);
    }
    expect(ids(await search(app, token.toUpperCase()))).toEqual([two.originalTransactionId]);
    expect(await search(app, 'u')).toEqual({ customers: [], nextCursor: null, orderLookup: null });
    expect(ids(await search(await service.app(), 'u1'))).toEqual([]);
  });

  test('asks the store about an order id, and keeps what it signed', async () => {
    const app = await service.app();
    const subscription = buy(app, clock.now - DAY);
    store.addOrder('MK5TTTVWJH', [subscription.newest]);
    expect((await search(app, 'MK5TTTVWJH')).orderLookup).toBe('no_key');
    await service.connect(app);
    const found = await search(app, 'MK5TTTVWJH');
    expect([ids(found), found.orderLookup]).toEqual([
      [subscription.originalTransactionId],
      'found',
    ]);
    expect(found.customers[0]).toMatchObject({
      customerId: subscription.originalTransactionId,
      userId: null,
    });
    expect((await search(app, 'MK5TTTVWJX')).orderLookup).toBe('not_found');
    expect(ids((await get(app, '')).body)).toEqual([subscription.originalTransactionId]);
    const other = await service.app(app.org);
    expect((await search(other, 'MK5TTTVWJH')).orderLookup).toBe('not_found');
    store.production.faults.next({ kind: 'status', status: 503 });
    expect((await get(app, '?search=MK5TTTVWJZ')).body.error.code).toBe('store_unavailable');
  });
});

describe('a customer', () => {
  test('is also a device that nobody signed in on', async () => {
    const app = await service.app();
    await bought(app, { anonymousId: 'anonymous-1' });
    const { body } = await get(app, '/anonymous-1');
    expect(body.entitlement).toMatchObject({ entitled: true, productId: 'pro.monthly' });
    expect(body.reason.code).toBe('paid');
  });

  test('has purchases with their history, grants, and a reason in words', async () => {
    const app = await service.app();
    const subscription = await bought(app, { userId: 'user/1' });
    subscription.act('cancel');
    await service.deliver(subscription, subscription.told.at(-1)!, app);
    const grant = await service.call(`/v1/apps/${app.appId}/purchases/grants`, {
      headers: app.org.key,
      body: { userId: 'user/1', productId: 'gift' },
    });
    const { status, body } = await get(app, `/${encodeURIComponent('user/1')}`);
    expect(status).toBe(200);
    const until = new Date(subscription.newest.expiresDate!).toISOString();
    expect(body).toMatchObject({
      customerId: 'user/1',
      entitlement: { status: 'active', productId: 'pro.monthly', willRenew: false },
      reason: {
        code: 'paid',
        sentence: `Paid for pro.monthly until ${until.slice(0, 10)}; nothing says that it renews.`,
      },
      grants: [{ id: grant.body.id }],
      purchases: [
        {
          originalTransactionId: subscription.originalTransactionId,
          status: 'active',
          holders: [{ kind: 'user', id: 'user/1' }],
          transactions: [
            {
              transactionId: subscription.newest.transactionId,
              priceMilliunits: 9_990,
              currency: 'USD',
              reason: 'PURCHASE',
            },
          ],
          renewals: [{ willRenew: false, renewsTo: 'pro.monthly' }],
        },
      ],
    });
  });

  test('is found by a transaction that nobody holds, and by a grant alone', async () => {
    const app = await service.app();
    const subscription = await bought(app, {});
    const byId = await get(app, `/${subscription.originalTransactionId}`);
    expect(byId.body).toMatchObject({
      entitlement: { status: 'active' },
      reason: { code: 'paid' },
    });
    await service.call(`/v1/apps/${app.appId}/purchases/grants`, {
      headers: app.org.key,
      body: { userId: 'u2', productId: 'gift' },
    });
    expect((await get(app, '/u2')).body).toMatchObject({
      reason: {
        code: 'granted',
        sentence: 'gift was granted without payment until it is revoked.',
      },
      purchases: [],
    });
    expect((await get(app, '/nobody')).status).toBe(404);
    expect((await get(await service.app(), `/${subscription.originalTransactionId}`)).status).toBe(
      404,
    );
  });

  test('is not entitled for a reason that is told', async () => {
    const app = await service.app();
    const refunded = await bought(app, { userId: 'refunded' });
    refunded.act('refund');
    await service.deliver(refunded, refunded.told.at(-1)!, app);
    expect((await get(app, '/refunded')).body.reason).toEqual({
      code: 'refunded',
      sentence: 'pro.monthly was refunded.',
    });
    await bought(app, { userId: 'tester' }, { environment: 'Sandbox' });
    expect((await get(app, '/tester')).body.reason.code).toBe('sandbox');
    await service.call(`/v1/apps/${app.appId}/purchases/settings`, {
      method: 'PATCH',
      headers: app.org.key,
      body: { sandboxAccess: 'nobody' },
    });
    expect((await get(app, '/tester')).body.reason.code).toBe('sandbox_not_allowed');
  });

  test('is asked about at the store when somebody wants to know, and told what happened', async () => {
    const app = await service.app();
    const subscription = await bought(app, { userId: 'u1' });
    const refresh = (customerId: string, of = app) =>
      service.call(`/v1/apps/${of.appId}/purchases/customers/${customerId}/refresh`, {
        method: 'POST',
        headers: of.org.key,
      });
    expect((await refresh('u1')).body.error.code).toBe('store_not_connected');
    await service.connect(app);
    subscription.act('refund');
    const { transaction, renewal } = subscription.told.at(-1)!;
    store.setChain('Production', [{ groupId: '1', status: 5, transaction, renewal }]);
    const { status, body } = await refresh('u1');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      reason: { code: 'refunded', sentence: 'pro.monthly was refunded.' },
    });
    const kinds: string[] = body.history.map(({ kind }: { kind: string }) => kind);
    expect(kinds.toSorted()).toEqual(['bought', 'refunded', 'renewal_off']);
    store.production.faults.next({ kind: 'status', status: 503 });
    expect((await refresh('u1')).body.error.code).toBe('store_unavailable');
    expect((await refresh('nobody')).status).toBe(404);
    expect((await refresh('u1', await service.app())).status).toBe(404);
  });
});
