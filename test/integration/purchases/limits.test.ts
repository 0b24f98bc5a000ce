import { describe, expect, test } from 'bun:test';
import { notificationPayload, transactionPayload } from '../../simulators/store-server/payloads.ts';
import { createPki, signJws } from '../../simulators/store-server/pki.ts';
import { testDatabase } from '../../support/postgres.ts';
import { type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';

/** A hundredth of the real limits: 6 notifications and 12 questions of devices for one app. */
const service = await startPurchaseService(await testDatabase(), {
  env: { RATE_LIMIT_SCALE: '0.01' },
});
const { deps, store } = service;

/** How often signed data was looked at, whatever came of it. */
let opened = 0;
const { notification, transaction } = deps.signatures;
deps.signatures = {
  ...deps.signatures,
  notification: (jws) => {
    opened += 1;
    return notification(jws);
  },
  transaction: (jws) => {
    opened += 1;
    return transaction(jws);
  },
};

const send = (app: PurchaseApp) => {
  const data = { bundleId: app.bundleId, bundleVersion: '1', environment: 'Sandbox' };
  const signedPayload = store.sign(notificationPayload({ notificationType: 'TEST', data }));
  return service.call('/v1/purchases/notifications', { body: { signedPayload } });
};

test('one app has 600 notifications a minute, unless an operator raised it', async () => {
  const [app, other] = [await service.app(), await service.app()];
  for (let sent = 0; sent < 6; sent += 1) expect((await send(app)).status).toBe(200);
  const refused = await send(app);
  expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await send(other)).status).toBe(200);
  await deps.sql`
    INSERT INTO app_limits (app_id, org_id, name, points)
    VALUES (${app.appId}, ${app.org.orgId}, 'notificationsOfApp', 2000)`;
  expect((await send(app)).status).toBe(200);
});

test('devices of one app share 1,200 a minute over verify and entitlement', async () => {
  const [app, other] = [await service.app(), await service.app()];
  const ask = (one: PurchaseApp) =>
    service.call('/v1/purchases/entitlement?userId=u1', { headers: one.device });
  const elsewhere = store.sign(transactionPayload({ bundleId: 'com.example.elsewhere' }));
  const verify = (one: PurchaseApp) =>
    service.call('/v1/purchases/verify', {
      headers: one.device,
      body: { signedTransaction: elsewhere },
    });
  for (let turn = 0; turn < 6; turn += 1) {
    expect((await ask(app)).status).toBe(200);
    expect((await verify(app)).body.error.code).toBe('transaction_not_for_app');
  }
  expect((await ask(app)).status).toBe(429);
  expect((await verify(app)).status).toBe(429);
  expect((await ask(other)).status).toBe(200);
});

describe('signatures that do not hold', () => {
  const forged = async (payload: unknown) => signJws(await createPki(), payload);

  test('of one address are counted, and then refused before anything is opened', async () => {
    const app = await service.app();
    const data = { bundleId: app.bundleId, bundleVersion: '1', environment: 'Sandbox' };
    const payload = notificationPayload({ notificationType: 'TEST', data });
    const signedPayload = await forged(payload);
    const post = (body: object) => service.call('/v1/purchases/notifications', { body });
    expect((await post({ signedPayload })).status).toBe(401);
    const before = opened;
    for (let time = 0; time < 3; time += 1) {
      const refused = await post({ signedPayload });
      expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await post({ signedPayload: store.sign(payload) })).status).toBe(429);
    expect(opened).toBe(before);
  });

  test('of devices are counted for their app alone', async () => {
    const [app, other] = [await service.app(), await service.app()];
    const verify = (one: PurchaseApp, signedTransaction: string) =>
      service.call('/v1/purchases/verify', { headers: one.device, body: { signedTransaction } });
    const wrong = await forged(transactionPayload({ bundleId: app.bundleId }));
    const right = (one: PurchaseApp) => store.sign(transactionPayload({ bundleId: one.bundleId }));
    expect((await verify(app, wrong)).body.error.code).toBe('invalid_transaction');
    const before = opened;
    for (const sent of [wrong, right(app)]) expect((await verify(app, sent)).status).toBe(429);
    expect(opened).toBe(before);
    expect((await verify(other, right(other))).status).toBe(200);
  });
});
