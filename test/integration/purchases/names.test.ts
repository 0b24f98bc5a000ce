import { describe, expect, test } from 'bun:test';
import { transactionPayload } from '../../simulators/store-server/payloads.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';
import { createTestOrg } from '../../support/service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { clock, store } = service;
const { sql } = service.deps;

const PRO = { name: 'pro', productIds: ['pro.monthly'] };
const STICKERS = { name: 'stickers', productIds: ['stickers.pack1'] };

const put = (app: PurchaseApp, entitlements: unknown) =>
  service.call(`/v1/apps/${app.appId}/entitlements`, {
    ...{ method: 'PUT', headers: app.org.key, body: { entitlements } },
  });
const get = (app: PurchaseApp) =>
  service.call(`/v1/apps/${app.appId}/entitlements`, { headers: app.org.key });
const ask = (app: PurchaseApp, query: Record<string, string>) =>
  service.call(`/v1/purchases/entitlement?${new URLSearchParams(query)}`, { headers: app.device });

async function handOver(app: PurchaseApp, signedTransaction: string, userId: string) {
  const body = { signedTransaction, userId };
  const answer = await service.call('/v1/purchases/verify', { headers: app.device, body });
  expect(answer.status).toBe(200);
  return answer.body;
}
const stickersOf = (app: PurchaseApp, at = clock.now - 90 * DAY) =>
  store.addTransaction(
    transactionPayload({
      ...{ bundleId: app.bundleId, productId: 'stickers.pack1', type: 'Non-Consumable' },
      purchaseDate: at,
    }),
  );
const subscribed = (app: PurchaseApp, start: number) => {
  const { newest } = buy(app, start);
  return store.sign(newest);
};

describe('an app with names', () => {
  test('does not unlock pro for a sticker pack after the subscription ended', async () => {
    const app = await service.app();
    await handOver(app, subscribed(app, clock.now - 60 * DAY), 'u1');
    const without = await handOver(app, stickersOf(app), 'u1');
    expect(without).toMatchObject({ entitled: true, productId: 'stickers.pack1' });
    expect(without).not.toHaveProperty('entitlements');

    expect((await put(app, [PRO, STICKERS])).status).toBe(200);
    const { entitlements, ...fields } = (await ask(app, { userId: 'u1' })).body;
    expect(fields).toEqual(without);
    expect(entitlements).toEqual([
      {
        ...{ name: 'pro', status: 'expired', productId: 'pro.monthly', willRenew: false },
        expiresAt: new Date(clock.now - 30 * DAY).toISOString(),
        ...{ store: 'app_store', environment: 'Production' },
      },
      {
        ...{ name: 'stickers', status: 'active', productId: 'stickers.pack1', willRenew: false },
        ...{ expiresAt: null, store: 'app_store', environment: 'Production' },
      },
    ]);
    const pro = (await ask(app, { userId: 'u1', entitlement: 'pro' })).body;
    expect(pro).toMatchObject({ entitled: false, status: 'expired', productId: 'pro.monthly' });
    expect(pro.entitlements).toEqual(entitlements);
  });

  test('lets a payer in who holds a sticker pack too', async () => {
    const app = await service.app();
    await handOver(app, stickersOf(app), 'u1');
    await handOver(app, subscribed(app, clock.now - DAY), 'u1');
    expect((await put(app, [PRO])).status).toBe(200);
    expect((await ask(app, { userId: 'u1' })).body.productId).toBe('stickers.pack1');
    const pro = (await ask(app, { userId: 'u1', entitlement: 'pro' })).body;
    expect(pro).toMatchObject({ entitled: true, status: 'active', productId: 'pro.monthly' });
    const backend = await service.call(
      `/v1/apps/${app.appId}/purchases/entitlement?userId=u1&entitlement=pro`,
      { headers: app.org.key },
    );
    expect(backend.body).toEqual(pro);
    const customer = await service.call(`/v1/apps/${app.appId}/purchases/customer?customerId=u1`, {
      headers: app.org.key,
    });
    expect(customer.body.entitlement.entitlements).toEqual(pro.entitlements);
  });

  test('says none of somebody who has nothing, and refuses a name that it does not have', async () => {
    const app = await service.app();
    await handOver(app, subscribed(app, clock.now - DAY), 'u1');
    await put(app, [PRO]);
    const none = (await ask(app, { userId: 'nobody', entitlement: 'pro' })).body;
    expect(none).toMatchObject({ entitled: false, status: 'none', productId: null });
    expect(none.entitlements).toMatchObject([{ name: 'pro', status: 'none', store: null }]);
    for (const query of [{ entitlement: 'max' }, { entitlement: 'PRO' }]) {
      const refused = await ask(app, { userId: 'u1', ...query });
      expect([refused.status, refused.body.error.hint]).toEqual([
        400,
        'entitlement: must be the name of an entitlement of this app',
      ]);
    }
    const both = await ask(app, { userId: 'u1', entitlement: 'pro', productId: 'pro.monthly' });
    expect([both.status, both.body.error.hint]).toEqual([
      400,
      'productId: goes without entitlement',
    ]);
  });

  test('asks the store about a stale purchase under a name, behind one that is certain', async () => {
    const app = await service.app();
    await service.connect(app);
    const subscription = buy(app, clock.now - 40 * DAY);
    await handOver(app, store.sign(subscription.newest), 'u1');
    await handOver(app, stickersOf(app), 'u1');
    await put(app, [PRO, STICKERS]);
    subscription.act('renew');
    store.setChain('Production', [{ groupId: '1', ...subscription.answer() }]);
    const { entitlements } = (await ask(app, { userId: 'u1' })).body;
    expect(entitlements[0]).toMatchObject({ name: 'pro', status: 'active' });
  });

  test('announces under which names a product stands', async () => {
    const app = await service.app();
    const body = { url: 'https://example.com/hooks', events: ['subscription.started.v1'] };
    await service.call('/v1/webhooks', { headers: app.org.key, body });
    await handOver(app, subscribed(app, clock.now - DAY), 'u1');
    await put(app, [PRO, { name: 'all', productIds: ['pro.monthly'] }]);
    await handOver(app, subscribed(app, clock.now - DAY), 'u2');
    const rows = await sql<{ body: string }[]>`
      SELECT body FROM webhook_deliveries WHERE org_id = ${app.org.orgId}
      ORDER BY created_at, delivery_id`;
    const names = rows.map((row) => JSON.parse(row.body).data.entitlements);
    expect(names.toSorted((a, b) => a.length - b.length)).toEqual([[], ['pro', 'all']]);
  });
});

describe('a webhook that asks for names', () => {
  test('is told of their purchases alone, also when one changes to another product', async () => {
    const app = await service.app();
    await handOver(app, subscribed(app, clock.now - DAY), 'u1');
    await handOver(app, stickersOf(app), 'u1');
    await put(app, [PRO, STICKERS]);
    const events = [
      ...['subscription.started.v1', 'subscription.product_changed.v1', 'purchase.completed.v1'],
      'app.deleted',
    ];
    const make = (entitlements: string[]) =>
      service.call('/v1/webhooks', {
        headers: app.org.key,
        body: { url: 'https://example.com/pros', events, entitlements },
      });
    const { webhook } = (await make(['pro'])).body;
    expect(webhook.entitlements).toEqual(['pro']);
    const all = (await make([])).body.webhook;
    expect(all).not.toHaveProperty('entitlements');
    const refused = await make(['pro', 'max']);
    expect(refused.body.error.hint).toBe(
      'entitlements[1]: must be the name of an entitlement of an app of the organization',
    );
    const subscription = buy(app, clock.now - DAY);
    await handOver(app, store.sign(subscription.newest), 'u2');
    await handOver(app, stickersOf(app, clock.now - DAY), 'u2');
    subscription.act('upgrade');
    await handOver(app, store.sign(subscription.newest), 'u2');
    const told = async (id: string) => {
      const rows = await sql<{ type: string }[]>`
        SELECT event_type AS type FROM webhook_deliveries
        WHERE org_id = ${app.org.orgId} AND webhook_id = ${id} ORDER BY created_at, delivery_id`;
      return rows.map(({ type }) => type);
    };
    const changed = ['subscription.started.v1', 'subscription.product_changed.v1'];
    expect(await told(webhook.id)).toEqual(changed);
    expect((await told(all.id)).toSorted()).toEqual([
      'purchase.completed.v1',
      ...changed.toSorted(),
    ]);

    const gone = await put(app, [STICKERS]);
    expect([gone.status, gone.body.error.message]).toEqual([
      409,
      'The entitlement “pro” is used by the webhook to https://example.com/pros.',
    ]);
    const other = await service.app(app.org);
    await handOver(other, subscribed(other, clock.now - DAY), 'u1');
    await put(other, [PRO]);
    expect((await put(app, [STICKERS])).status).toBe(200);
    const change = await service.call(`/v1/webhooks/${webhook.id}`, {
      ...{ method: 'PATCH', headers: app.org.key, body: { entitlements: [] } },
    });
    expect(change.body).not.toHaveProperty('entitlements');
    expect((await put(other, [])).status).toBe(200);
  });
});

describe('names', () => {
  test('stand for products that were bought or reported, of this app', async () => {
    const app = await service.app();
    const [other, stranger] = [await service.app(app.org), await createTestOrg(service)];
    expect((await get(app)).body).toEqual({ entitlements: [], products: [] });
    await handOver(app, subscribed(app, clock.now - DAY), 'u1');
    await handOver(app, stickersOf(app), 'u1');
    const bought = { isBought: true, isReported: false };
    const products = [
      { id: 'pro.monthly', ...bought },
      { id: 'stickers.pack1', ...bought },
    ];
    expect((await get(app)).body).toEqual({ entitlements: [], products });
    expect((await get(other)).body.products).toEqual([]);

    const typed = [STICKERS, { name: 'pro', productIds: ['pro.monthly', 'pro.monthyl'] }];
    const refused = await put(app, typed);
    expect([refused.status, refused.body.error.hint]).toEqual([
      400,
      'entitlements[1].productIds[1]: must be a product of the store, or one that was bought or reported: pro.monthyl is not known',
    ]);
    const twice = await put(app, [PRO, PRO]);
    expect(twice.body.error.hint).toBe('entitlements[1].name: must be another than those before');
    expect((await get(app)).body.entitlements).toEqual([]);

    const set = await put(app, [STICKERS, PRO]);
    expect([set.status, set.body]).toEqual([200, { entitlements: [STICKERS, PRO], products }]);
    expect((await get(app)).body).toEqual(set.body);
    expect((await put(app, [PRO])).body.entitlements).toEqual([PRO]);
    expect((await put(app, [])).body.entitlements).toEqual([]);
    const foreign = await service.call(`/v1/apps/${app.appId}/entitlements`, {
      headers: stranger.key,
    });
    expect(foreign.status).toBe(404);
  });

  test('also stand for what only sales reports know', async () => {
    const app = await service.app();
    const { orgId } = app.org;
    await sql`
      INSERT INTO store_connections (org_id, connection_id, issuer_id, key_id, vendor_number,
        sealed_key, status, connected_at)
      VALUES (${orgId}, ${`sc_${orgId}`}, 'i', 'k', '8', 'sealed', 'connected', now())`;
    await sql`
      INSERT INTO store_apps (org_id, store_app_id, name, bundle_id, sku, app_id, linked_at)
      VALUES (${orgId}, ${app.storeAppId}, 'App', ${app.bundleId}, 'SKU1', ${app.appId}, now())`;
    for (const [line, parent, sku] of [
      [1, app.storeAppId, 'pro.yearly'],
      [2, '999', 'other.product'],
    ] as const) {
      await sql`
        INSERT INTO store_facts (org_id, vendor_number, day, report_type, line, store_id,
          parent_store_id, sku, title, product_type, country, device, units, bundle_credit, trials,
          proceeds, proceeds_currency, customer_spend, customer_currency)
        VALUES (${orgId}, '8', '2026-10-01', 'SALES', ${line}, ${String(line)}, ${parent}, ${sku},
          'Title', 'IAY', 'DE', 'iPhone', 1, false, 0, 1, 'USD', 1, 'USD')`;
    }
    expect((await get(app)).body.products).toEqual([
      { id: 'pro.yearly', isBought: false, isReported: true },
    ]);
    expect((await put(app, [{ name: 'pro', productIds: ['pro.yearly'] }])).status).toBe(200);
    expect((await put(app, [{ name: 'pro', productIds: ['other.product'] }])).status).toBe(400);
  });
});

describe('a grant of a name', () => {
  const grant = (app: PurchaseApp, body: object) =>
    service.call(`/v1/apps/${app.appId}/purchases/grants`, {
      ...{ headers: app.org.key, body: { userId: 'u9', ...body } },
    });

  test('gives the name, follows its products, and gives what all of them give', async () => {
    const app = await service.app();
    await handOver(app, subscribed(app, clock.now - DAY), 'u1');
    await handOver(app, stickersOf(app), 'u1');
    const all = { name: 'all', productIds: ['pro.monthly', 'stickers.pack1'] };
    await put(app, [PRO, STICKERS, all]);
    const made = await grant(app, { entitlement: 'pro' });
    expect(made.body).toMatchObject({ productId: null, entitlement: 'pro' });
    expect((await grant(app, { entitlement: 'pro' })).body).toEqual(made.body);
    const of = async () => {
      const { entitlements } = (await ask(app, { userId: 'u9' })).body;
      return entitlements.map(({ status }: { status: string }) => status);
    };
    expect(await of()).toEqual(['active', 'none', 'active']);
    const asked = (await ask(app, { userId: 'u9', entitlement: 'pro' })).body;
    expect(asked).toMatchObject({ entitled: true, productId: null, ownership: null });
    const one = (await ask(app, { userId: 'u9', productId: 'pro.monthly' })).body;
    expect(one.entitled).toBe(true);

    await put(app, [{ ...PRO, productIds: ['pro.monthly', 'stickers.pack1'] }, STICKERS, all]);
    expect(await of()).toEqual(['active', 'none', 'active']);
    expect((await ask(app, { userId: 'u9', productId: 'pro.monthly' })).body.entitled).toBe(false);
    const customer = await service.call(`/v1/apps/${app.appId}/purchases/customer?customerId=u9`, {
      headers: app.org.key,
    });
    expect(customer.body.reason.sentence).toBe(
      'pro was granted without payment until it is revoked.',
    );
    expect(customer.body.history).toMatchObject([{ sentence: 'pro was granted without payment.' }]);
  });

  test('keeps the name until it is over', async () => {
    const app = await service.app();
    await handOver(app, subscribed(app, clock.now - DAY), 'u1');
    await put(app, [PRO, { ...PRO, name: 'all' }]);
    const { body } = await grant(app, { entitlement: 'pro' });
    const refused = await put(app, [{ ...PRO, name: 'all' }]);
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'The entitlement “pro” is used by the running grant of u9.',
    ]);
    expect((await put(app, [PRO])).status).toBe(200);
    const path = `/v1/apps/${app.appId}/purchases/grants/${body.id}`;
    await service.call(path, { method: 'DELETE', headers: app.org.key });
    expect((await put(app, [])).status).toBe(200);
    expect((await ask(app, { userId: 'u9' })).body).toMatchObject({ status: 'revoked' });
    const audit = await service.call(`/v1/apps/${app.appId}/purchases/audit`, {
      headers: app.org.key,
    });
    expect(audit.body.entries).toMatchObject([
      { action: 'revoked', entitlement: 'pro' },
      { action: 'granted', entitlement: 'pro' },
      { action: 'linked' },
    ]);
  });

  test('is of a name of this app, and not of a product too', async () => {
    const app = await service.app();
    await handOver(app, subscribed(app, clock.now - DAY), 'u1');
    await put(app, [PRO]);
    const hints = [{}, { entitlement: 'max' }, { entitlement: 'pro', productId: 'pro.monthly' }];
    const answers = await Promise.all(hints.map((body) => grant(app, body)));
    expect(answers.map(({ status, body }) => [status, body.error.hint])).toEqual([
      [400, 'entitlement: must be given, or productId'],
      [400, 'entitlement: must be the name of an entitlement of this app'],
      [400, 'productId: goes without entitlement'],
    ]);
  });
});
