import { describe, expect, test } from 'bun:test';
import { rereadNotifications } from '../../../src/modules/purchases/app-store/notifications/reread.ts';
import { readPurchaseHistories } from '../../../src/modules/purchases/app-store/read-history.ts';
import { planPurchaseRecovery } from '../../../src/modules/purchases/app-store/recover.ts';
import { reconcilePurchases } from '../../../src/modules/purchases/reconcile.ts';
import { expireSignedTexts } from '../../../src/modules/purchases/retention.ts';
import { transactionPayload } from '../../simulators/store-server/payloads.ts';
import { tooManyRequests } from '../../simulators/store-server/server.ts';
import type { SimulatedSubscription } from '../../simulators/store-server/subscription.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { store, clock, deps } = service;
const { sql } = deps;
const ctx = { deps, requestId: 'test' };

const scopeOf = (app: PurchaseApp) => ({ orgId: app.org.orgId, appId: app.appId });
const transactionsOf = (app: PurchaseApp) => sql`
  SELECT transaction_id, signed_text, price_milliunits, currency, storefront, offer_type,
    offer_discount_type, offer_period, transaction_reason, revocation_reason, fields_signed_ms
  FROM purchase_transactions WHERE app_id = ${app.appId} ORDER BY transaction_id`;
const renewalsOf = (app: PurchaseApp) => sql`
  SELECT signed_text, will_renew, expiration_intent, auto_renew_product_id, grace_expires_ms,
    renewal_price_milliunits, currency, price_increase_status
  FROM purchase_renewals WHERE app_id = ${app.appId} ORDER BY signed_ms`;
const verify = async (app: PurchaseApp, signedTransaction: string, userId = 'u1') => {
  const body = { signedTransaction, userId };
  const answer = await service.call('/v1/purchases/verify', { headers: app.device, body });
  expect(answer.status).toBe(200);
  return answer.body;
};
/** What the store answers about a subscription from now on. */
const publish = (subscription: SimulatedSubscription) => {
  const { transaction, renewal, status } = subscription.answer();
  for (const period of subscription.periods) store.addTransaction({ ...period });
  const { environment } = subscription.options;
  store.setChain(environment, [{ groupId: '1', status, transaction, renewal }]);
};

describe('what the store signed is kept with its fields', () => {
  test('when a notification brings it', async () => {
    const app = await service.app();
    const subscription = buy(app, clock.now - 40 * DAY, { trial: true });
    subscription.renew();
    subscription.refund();
    for (const told of subscription.told) await service.deliver(subscription, told, app);
    const rows = await transactionsOf(app);
    expect(rows).toMatchObject([
      { price_milliunits: 0, offer_type: 1, offer_discount_type: 'FREE_TRIAL' },
      {
        price_milliunits: 9_990,
        currency: 'USD',
        storefront: 'USA',
        transaction_reason: 'RENEWAL',
        revocation_reason: 0,
      },
    ]);
    for (const { signed_text: text } of rows) {
      expect((await deps.signatures.transaction(text)).snapshot.bundleId).toBe(app.bundleId);
    }
  });

  test('when a device hands it over, whatever the fields that are not needed hold', async () => {
    const app = await service.app();
    const plain = transactionPayload({ bundleId: app.bundleId, expiresDate: clock.now + DAY });
    const odd = {
      price: 'free',
      currency: 'U\0D',
      storefront: 7,
      offerPeriod: null,
      offerType: 1.5,
    };
    const signed = store.sign({ ...plain, ...odd });
    expect(await verify(app, signed)).toMatchObject({ entitled: true, status: 'active' });
    expect([...(await transactionsOf(app))]).toMatchObject([
      {
        signed_text: signed,
        price_milliunits: null,
        currency: null,
        storefront: null,
        offer_period: null,
        offer_type: null,
        transaction_reason: 'PURCHASE',
      },
    ]);
  });

  test('when the store was asked', async () => {
    const app = await service.app();
    await service.connect(app);
    const subscription = buy(app, clock.now - DAY);
    subscription.cancel();
    publish(subscription);
    await verify(app, store.sign(subscription.newest));
    expect([...(await renewalsOf(app))]).toMatchObject([
      { will_renew: false, auto_renew_product_id: 'pro.monthly' },
    ]);
  });

  test('an earlier text that comes late replaces nothing', async () => {
    const app = await service.app();
    const first = transactionPayload({ bundleId: app.bundleId, signedDate: clock.now - DAY });
    const later = store.sign({ ...first, price: 4_990, signedDate: clock.now });
    await verify(app, later);
    await verify(app, store.sign(first));
    expect([...(await transactionsOf(app))]).toMatchObject([
      { signed_text: later, price_milliunits: 4_990 },
    ]);
  });

  test('renewal information, also where it repeats: something else may come in between', async () => {
    const app = await service.app();
    const subscription = buy(app, clock.now - DAY);
    subscription.cancel();
    subscription.resume();
    subscription.cancel();
    for (const told of subscription.told) await service.deliver(subscription, told, app);
    const last = subscription.told.at(-1)!;
    const again = {
      ...last,
      uuid: crypto.randomUUID(),
      signedDate: last.signedDate + 5_000,
      renewal: { ...last.renewal, signedDate: last.signedDate + 5_000 },
    };
    await service.deliver(subscription, again, app);
    const rows = await renewalsOf(app);
    expect(rows.map((row) => row.will_renew)).toEqual([true, false, true, false, false]);
    const path = `/v1/apps/${app.appId}/purchases/customers/${subscription.originalTransactionId}`;
    const { body } = await service.call(path, { headers: app.org.key });
    const said = body.purchases[0].renewals.map((one: { willRenew: boolean }) => one.willRenew);
    expect(said).toEqual([false, true, false, true]);
  });

  test('the first and the last of answers that repeat one another', async () => {
    const app = await service.app();
    await service.connect(app);
    const subscription = buy(app, clock.now - DAY);
    for (let time = 0; time < 5; time += 1) {
      subscription.now += 60_000;
      publish(subscription);
      await verify(app, store.sign(subscription.newest));
    }
    expect(await renewalsOf(app)).toHaveLength(2);
  });

  test('the reason why it ended, the price to come and the grace period', async () => {
    const app = await service.app();
    const subscription = buy(app, clock.now - DAY);
    const told = subscription.told[0]!;
    const renewal = {
      ...told.renewal,
      expirationIntent: 3,
      gracePeriodExpiresDate: clock.now + DAY,
      renewalPrice: 12_990,
      currency: 'EUR',
      priceIncreaseStatus: 1,
    };
    await service.deliver(subscription, { ...told, renewal }, app);
    expect([...(await renewalsOf(app))]).toMatchObject([
      {
        expiration_intent: 3,
        grace_expires_ms: clock.now + DAY,
        renewal_price_milliunits: 12_990,
        currency: 'EUR',
        price_increase_status: 1,
      },
    ]);
  });
});

describe('notifications of a release that kept nothing of it', () => {
  test('are read once more, in batches, and never again', async () => {
    const app = await service.app();
    const subscription = buy(app, clock.now - 100 * DAY);
    for (let month = 0; month < 3; month += 1) subscription.renew();
    for (const told of subscription.told) await service.deliver(subscription, told, app);
    const transactions = [...(await transactionsOf(app))];
    const renewals = [...(await renewalsOf(app))];
    await sql`
      UPDATE purchase_transactions SET signed_text = NULL, fields_signed_ms = NULL,
        price_milliunits = NULL, currency = NULL, storefront = NULL, transaction_reason = NULL
      WHERE app_id = ${app.appId}`;
    await sql`DELETE FROM purchase_renewals WHERE app_id = ${app.appId}`;
    await sql`
      UPDATE purchase_notifications SET signed_kept_at = NULL WHERE bundle_id = ${app.bundleId}`;
    expect(await rereadNotifications(deps)).toBe(4);
    expect([...(await transactionsOf(app))]).toEqual(transactions);
    expect([...(await renewalsOf(app))]).toEqual(renewals);
    expect(await rereadNotifications(deps)).toBe(0);
  });

  test('one that cannot be trusted holds up no other', async () => {
    const app = await service.app();
    const subscription = buy(app, clock.now - DAY);
    await service.deliver(subscription, subscription.told[0]!, app);
    await sql`
      INSERT INTO purchase_notifications (environment, notification_id, bundle_id, type, signed_at,
        payload, received_at, applied_at)
      VALUES ('Production', 'odd', ${app.bundleId}, 'TEST', now(), 'a.b.c', '2020-01-01', now())`;
    await sql`UPDATE purchase_notifications SET signed_kept_at = NULL`;
    expect(await rereadNotifications(deps)).toBeGreaterThanOrEqual(2);
    expect(await rereadNotifications(deps)).toBe(0);
  });
});

describe('the transaction history of a chain', () => {
  const known = async (periods: number) => {
    const app = await service.app();
    const subscription = buy(app, clock.now - periods * 30 * DAY);
    for (let period = 1; period < periods; period += 1) subscription.renew();
    await verify(app, store.sign(subscription.newest));
    await service.connect(app);
    publish(subscription);
    return { app, subscription };
  };
  const asked = () => store.production.requests.filter((line) => line.includes('/v2/history/'));

  test('is read once, over pages, where a key is connected', async () => {
    const { app } = await known(45);
    expect(await readPurchaseHistories(ctx, scopeOf(app))).toEqual({ pages: 3, goesOn: false });
    const rows = await transactionsOf(app);
    expect(rows).toHaveLength(45);
    expect(rows.every((row) => row.price_milliunits === 9_990)).toBe(true);
    expect([...(await renewalsOf(app))]).toMatchObject([{ will_renew: true }]);
    const before = asked().length;
    expect(await readPurchaseHistories(ctx, scopeOf(app))).toEqual({ pages: 0, goesOn: false });
    expect(asked()).toHaveLength(before);
  });

  test('goes on at the page where it was stopped, after the time that the store named', async () => {
    const { app } = await known(45);
    const whole = deps.storeServer;
    deps.storeServer = {
      ...whole,
      transactionHistory: async (...asks) => {
        const page = await whole.transactionHistory(...asks);
        const refusal = tooManyRequests(Date.now() + 90_000);
        store.production.faults.next(refusal, { match: /v2\/history/ });
        return page;
      },
    };
    const thrown = await readPurchaseHistories(ctx, scopeOf(app)).catch((fault) => fault);
    deps.storeServer = whole;
    expect(thrown.code).toBe('store_rate_limited');
    expect(thrown.retryAfterSeconds).toBeGreaterThan(60);
    expect(await transactionsOf(app)).toHaveLength(21);
    expect(await readPurchaseHistories(ctx, scopeOf(app))).toEqual({ pages: 2, goesOn: false });
    expect(await transactionsOf(app)).toHaveLength(45);
  });

  test('that the store does not know is asked for again a day later, and given up in the end', async () => {
    const app = await service.app();
    await service.connect(app);
    const [own] = [transactionPayload({ bundleId: app.bundleId })];
    await verify(app, store.sign(own));
    const tries = async () => {
      const [row] = await sql`
        SELECT history_tries AS tries, history_error AS error FROM purchase_chains
        WHERE app_id = ${app.appId}`;
      return row;
    };
    for (let day = 1; day <= 5; day += 1) {
      expect(await readPurchaseHistories(ctx, scopeOf(app))).toEqual({ pages: 1, goesOn: false });
      expect(await readPurchaseHistories(ctx, scopeOf(app))).toEqual({ pages: 0, goesOn: false });
      expect((await tries())?.tries).toBe(day);
      clock.now += DAY + 1;
    }
    expect((await tries())?.error).toContain('404');
    expect(await readPurchaseHistories(ctx, scopeOf(app))).toEqual({ pages: 0, goesOn: false });
    await service.connect(app);
    expect(await readPurchaseHistories(ctx, scopeOf(app))).toEqual({ pages: 1, goesOn: false });
  });

  test('does not change what a person may use', async () => {
    const { app, subscription } = await known(3);
    subscription.failIntoGrace();
    await service.deliver(subscription, subscription.told.at(-1)!, app);
    publish(subscription);
    const path = '/v1/purchases/entitlement?userId=u1';
    clock.now = subscription.now;
    const before = (await service.call(path, { headers: app.device })).body;
    expect(before.status).toBe('billing_grace');
    await readPurchaseHistories(ctx, scopeOf(app));
    const after = (await service.call(path, { headers: app.device })).body;
    expect({ ...after, checkedAt: null }).toEqual({ ...before, checkedAt: null });
  });
});

test('the first look into the notification history reads as far back as the store lets it', async () => {
  const app = await service.app();
  const days = async (environment: 'Production' | 'Sandbox') => {
    const { startMs } = await planPurchaseRecovery(ctx, { ...scopeOf(app), environment });
    return (clock.now - startMs) / DAY;
  };
  expect(await days('Production')).toBe(160);
  expect(await days('Sandbox')).toBe(28);
});

describe('signed texts', () => {
  const texts = async (app: PurchaseApp) => {
    const [row] = await sql`
      SELECT
        (SELECT count(*) FROM purchase_transactions
          WHERE app_id = ${app.appId} AND signed_text IS NOT NULL) AS transactions,
        (SELECT count(*) FROM purchase_renewals
          WHERE app_id = ${app.appId} AND signed_text IS NOT NULL) AS renewals`;
    return { ...row };
  };
  const filled = async () => {
    const app = await service.app();
    const subscription = buy(app, clock.now - 40 * DAY, { appAccountToken: crypto.randomUUID() });
    subscription.renew();
    for (const told of subscription.told) await service.deliver(subscription, told, app);
    return { app, subscription };
  };

  test("are forgotten after the app's retention, the fields stay, and no delivery brings them back", async () => {
    const { app, subscription } = await filled();
    const { app: other } = await filled();
    expect(await texts(app)).toEqual({ transactions: 2, renewals: 2 });
    await sql`
      UPDATE app_datasets SET notification_retention_days = 30 WHERE app_id = ${app.appId}`;
    const before = clock.now;
    clock.now += 31 * DAY;
    expect(await expireSignedTexts(deps)).toBe(4);
    clock.now = before;
    await verify(app, store.sign(subscription.told[0]!.transaction));
    expect(await texts(app)).toEqual({ transactions: 0, renewals: 0 });
    expect((await transactionsOf(app)).every((row) => row.price_milliunits === 9_990)).toBe(true);
    expect(await texts(other)).toEqual({ transactions: 2, renewals: 2 });
  });

  test('are erased with the person who holds the purchase, and are not kept again', async () => {
    const { app, subscription } = await filled();
    const { app: other } = await filled();
    await verify(app, store.sign(subscription.newest), subscription.options.appAccountToken);
    const person = subscription.options.appAccountToken!;
    const erased = await service.call(`/v1/apps/${app.appId}/people/${person}`, {
      method: 'DELETE',
      headers: app.org.key,
    });
    expect(erased.status).toBe(204);
    expect(await texts(app)).toEqual({ transactions: 0, renewals: 0 });
    subscription.renew();
    await service.deliver(subscription, subscription.told.at(-1)!, app);
    expect(await texts(app)).toEqual({ transactions: 0, renewals: 0 });
    expect(await transactionsOf(app)).toHaveLength(3);
    expect(await texts(other)).toEqual({ transactions: 2, renewals: 2 });
  });
});

test('reconciling reads, forgets and rereads without a fault', async () => {
  deps.temporal.ensure = () => Promise.reject(new Error('not wanted here'));
  await sql`UPDATE purchase_connections SET status = 'invalid'`;
  await reconcilePurchases(deps);
});
