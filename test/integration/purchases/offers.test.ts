import { describe, expect, test } from 'bun:test';
import { createPublicKey, verify } from 'node:crypto';
import { nonceOfferText } from '../../../src/shared/app-store-offer.ts';
import {
  type TransactionPayload,
  transactionPayload,
} from '../../simulators/store-server/payloads.ts';
import { createPki, signJws } from '../../simulators/store-server/pki.ts';
import { testDatabase } from '../../support/postgres.ts';
import {
  buy,
  PURCHASE_KEY,
  type PurchaseApp,
  startPurchaseService,
} from '../../support/purchase-service.ts';
import { createTestKey } from '../../support/service.ts';

const DAY = 86_400_000;
const TOKEN = '7e3fb20b-4cdb-47cc-936d-99d65f608138';
const service = await startPurchaseService(await testDatabase());
const { clock, store } = service;
const publicKey = createPublicKey(PURCHASE_KEY.privateKey);

const half = { kind: 'promotional', productId: 'pro.monthly', offerId: 'half' };
const newer = { ...half, kind: 'promotional_jws' };
const introductory = { kind: 'introductory', productId: 'pro.monthly' };

const ask = (app: PurchaseApp, body: object, headers: Record<string, string> = app.device) =>
  service.call('/v1/purchases/offers/sign', { headers, body });
const askFor = (app: PurchaseApp, body: object, headers: Record<string, string> = app.org.key) =>
  service.call(`/v1/apps/${app.appId}/purchases/offer-signatures`, { headers, body });

const bought = (app: PurchaseApp, given: Partial<TransactionPayload> = {}) =>
  store.addTransaction(
    transactionPayload({
      ...{ bundleId: app.bundleId, subscriptionGroupIdentifier: '21001' },
      ...{ purchaseDate: clock.now - DAY, expiresDate: clock.now + 29 * DAY },
      ...given,
    }),
  );

async function handOver(app: PurchaseApp, signedTransaction: string, userId?: string) {
  const body = { signedTransaction, ...(userId === undefined ? {} : { userId }) };
  expect((await service.call('/v1/purchases/verify', { headers: app.device, body })).status).toBe(
    200,
  );
}

async function connected(): Promise<PurchaseApp> {
  const app = await service.app();
  await service.connect(app);
  return app;
}

const claimsOf = (jws: string) => {
  const [header, claims, signature] = jws.split('.');
  const by = { key: publicKey, dsaEncoding: 'ieee-p1363' as const };
  const raw = Buffer.from(signature ?? '', 'base64url');
  expect(verify('sha256', Buffer.from(`${header}.${claims}`), by, raw)).toBe(true);
  return JSON.parse(Buffer.from(claims ?? '', 'base64url').toString());
};
const refusal = (answer: { status: number; body: any }) => [
  answer.status,
  answer.body.error.code,
  answer.body.error.message,
];
const NEVER = [
  ...[403, 'permission_denied'],
  'A promotional offer is for customers who have, or had, a subscription of this group.',
];

describe('a device', () => {
  test('gets a signature over its own account, for who subscribes and who did', async () => {
    const app = await connected();
    const lapsed = { purchaseDate: clock.now - 90 * DAY, expiresDate: clock.now - 60 * DAY };
    for (const times of [{}, lapsed]) {
      const signedTransaction = bought(app, { appAccountToken: TOKEN, ...times });
      await handOver(app, signedTransaction);
      const { status, body } = await ask(app, { ...half, signedTransaction });
      expect(status).toBe(200);
      expect(body).toMatchObject({ keyId: PURCHASE_KEY.keyId, jws: null, timestamp: clock.now });
      expect(body.appAccountToken).toBe(TOKEN);
      const text = nonceOfferText({ ...PURCHASE_KEY, bundleId: app.bundleId }, body);
      expect(
        verify('sha256', Buffer.from(text), publicKey, Buffer.from(body.signature, 'base64')),
      ).toBe(true);
      const again = await ask(app, { ...half, signedTransaction });
      expect(again.body.nonce).not.toBe(body.nonce);
    }
  });

  test('that never handed its purchase over proves it by the transaction alone', async () => {
    const app = await connected();
    await handOver(app, bought(app));
    const transactionId = '2000000999999999';
    const signedTransaction = bought(app, { transactionId, originalTransactionId: transactionId });
    const { body } = await ask(app, { ...newer, signedTransaction });
    expect(claimsOf(body.jws)).toEqual({
      ...{ iss: PURCHASE_KEY.issuerId, aud: 'promotional-offer', bid: app.bundleId },
      ...{ iat: Math.floor(clock.now / 1_000), nonce: body.nonce },
      ...{ productId: 'pro.monthly', offerIdentifier: 'half', transactionId },
    });
    expect(body).toMatchObject({ signature: null, kind: 'promotional_jws' });
  });

  test('of somebody who never subscribed, or to another group, or by family, is refused', async () => {
    const app = await connected();
    await handOver(app, bought(app));
    const others: Partial<TransactionPayload>[] = [
      { type: 'Non-Consumable', productId: 'stickers' },
      { subscriptionGroupIdentifier: '99', productId: 'other.monthly' },
      { inAppOwnershipType: 'FAMILY_SHARED' },
    ];
    for (const other of others) {
      const signedTransaction = bought(app, other);
      for (const one of [half, newer]) {
        expect(refusal(await ask(app, { ...one, signedTransaction }))).toEqual(NEVER);
      }
    }
    const unknown = await ask(app, { ...half, productId: 'new', signedTransaction: bought(app) });
    expect(refusal(unknown)[2]).toContain('nobody has bought the product yet');
  });

  test('with a transaction that the store did not sign, or of another app, gets nothing', async () => {
    const [app, other] = [await connected(), await service.app()];
    await handOver(app, bought(app));
    const forged = signJws(await createPki(), transactionPayload({ bundleId: app.bundleId }));
    expect(refusal(await ask(app, { ...half, signedTransaction: forged }))[1]).toBe(
      'invalid_transaction',
    );
    const foreign = await ask(app, { ...half, signedTransaction: bought(other) });
    expect(refusal(foreign)[1]).toBe('transaction_not_for_app');
    expect((await ask(app, half)).status).toBe(400);
    const asKey = await ask(app, { ...half, signedTransaction: bought(app) }, app.org.key);
    expect(asKey.status).toBe(401);
  });

  test('gets no signature for another account token than that of its transaction', async () => {
    const app = await connected();
    const signedTransaction = bought(app, { appAccountToken: TOKEN });
    await handOver(app, signedTransaction);
    const appAccountToken = crypto.randomUUID();
    const answer = await ask(app, { ...half, signedTransaction, appAccountToken });
    expect(refusal(answer)[2]).toBe('The transaction is of another account token.');
    const without = await ask(app, { ...half, signedTransaction: bought(app), appAccountToken });
    expect(without.body.appAccountToken).toBe(appAccountToken);
    const capital = { ...half, signedTransaction, appAccountToken: TOKEN.toUpperCase() };
    expect((await ask(app, capital)).body.appAccountToken).toBe(TOKEN);
  });

  test('with a sandbox purchase gets one where the app lets sandbox purchases count', async () => {
    const app = await connected();
    const subscription = buy(app, clock.now - DAY, { environment: 'Sandbox' });
    const signedTransaction = store.sign(subscription.newest);
    await handOver(app, signedTransaction);
    expect((await ask(app, { ...half, signedTransaction })).status).toBe(200);
    await service.call(`/v1/apps/${app.appId}/purchases/settings`, {
      ...{ method: 'PATCH', headers: app.org.key, body: { sandboxAccess: 'nobody' } },
    });
    const refused = await ask(app, { ...half, signedTransaction });
    expect(refusal(refused)[2]).toBe('Sandbox purchases count for nobody here.');
  });

  test('has one introductory offer of a group', async () => {
    const app = await connected();
    await handOver(app, bought(app));
    const fresh = bought(app, { type: 'Non-Consumable', productId: 'stickers' });
    const { body } = await ask(app, { ...introductory, signedTransaction: fresh });
    expect(claimsOf(body.jws)).toMatchObject({
      ...{ aud: 'introductory-offer-eligibility', allowIntroductoryOffer: true },
      ...{ productId: 'pro.monthly' },
    });
    const used = bought(app, { offerType: 1, offerDiscountType: 'FREE_TRIAL' });
    const refused = await ask(app, { ...introductory, signedTransaction: used });
    expect(refusal(refused)[2]).toBe(
      'This customer had an introductory offer of this group already.',
    );
    await handOver(app, bought(app, { subscriptionGroupIdentifier: '99', productId: 'other' }));
    const elsewhere = { ...introductory, productId: 'other', signedTransaction: used };
    expect((await ask(app, elsewhere)).status).toBe(200);
  });

  test('is told what a form lacks, and that a win-back offer needs no server', async () => {
    const app = await connected();
    const signedTransaction = bought(app);
    const hints = [];
    for (const body of [
      { ...half, kind: 'win_back' },
      { ...half, offerId: undefined },
      { ...introductory, offerId: 'half' },
      { ...half, kind: 'code' },
    ]) {
      const answer = await ask(app, { ...body, signedTransaction });
      expect(answer.status).toBe(400);
      hints.push(answer.body.error.hint.split(':')[0]);
    }
    expect(hints).toEqual(['kind', 'offerId', 'offerId', 'kind']);
  });

  test('is told what to do without a purchase key', async () => {
    const app = await service.app();
    const signedTransaction = bought(app);
    await handOver(app, signedTransaction);
    const answer = await ask(app, { ...half, signedTransaction });
    expect(refusal(answer).slice(0, 2)).toEqual([404, 'store_not_connected']);
    expect(answer.body.error.hint).toContain('PUT /v1/purchases/connection');
    await service.connect(app);
    await service.deps.sql`
      UPDATE purchase_connections SET status = 'invalid' WHERE org_id = ${app.org.orgId}`;
    expect(refusal(await ask(app, { ...half, signedTransaction }))[1]).toBe(
      'store_credentials_rejected',
    );
  });
});

describe('a server', () => {
  test('signs for a customer that it names', async () => {
    const app = await connected();
    const subscription = buy(app, clock.now - DAY);
    await handOver(app, store.sign(subscription.newest), 'u1');
    const { body } = await askFor(app, { ...newer, userId: 'u1' });
    expect(claimsOf(body.jws).transactionId).toBe(subscription.newest.transactionId);
    const old = await askFor(app, { ...half, userId: 'u1', appAccountToken: TOKEN });
    expect(old.body.appAccountToken).toBe(TOKEN);
    expect(refusal(await askFor(app, { ...half, userId: 'nobody' }))).toEqual(NEVER);
    expect((await askFor(app, half)).body.error.hint).toStartWith('body: must name');
    const none = await askFor(app, { ...introductory, userId: 'nobody' });
    expect(refusal(none)[2]).toBe('No transaction of this customer is known.');
    const kept = { ...introductory, userId: 'u1', allowIntroductoryOffer: false };
    expect(claimsOf((await askFor(app, kept)).body.jws).allowIntroductoryOffer).toBe(false);
  });

  test('needs a key that may change the app, and its own', async () => {
    const [app, other] = [await connected(), await connected()];
    await handOver(app, bought(app), 'u1');
    const reader = await createTestKey(service, app.org, ['analytics:read']);
    expect((await askFor(app, { ...half, userId: 'u1' }, reader)).status).toBe(403);
    expect((await askFor(app, { ...half, userId: 'u1' }, other.org.key)).status).toBe(404);
    expect((await askFor(app, { ...half, userId: 'u1' }, app.device)).status).toBe(401);
  });
});
