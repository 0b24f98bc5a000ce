import { expect, test } from 'bun:test';
import { notificationPayload } from '../../simulators/store-server/payloads.ts';
import { testDatabase } from '../../support/postgres.ts';
import { type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';

/** A hundredth of the real limits: 6 notifications and 12 questions of devices for one app. */
const service = await startPurchaseService(await testDatabase(), {
  env: { RATE_LIMIT_SCALE: '0.01' },
});
const { deps, store } = service;

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
  const verify = (one: PurchaseApp) =>
    service.call('/v1/purchases/verify', {
      headers: one.device,
      body: { signedTransaction: 'a.b.c' },
    });
  for (let turn = 0; turn < 6; turn += 1) {
    expect((await ask(app)).status).toBe(200);
    expect((await verify(app)).status).toBe(400);
  }
  expect((await ask(app)).status).toBe(429);
  expect((await verify(app)).status).toBe(429);
  expect((await ask(other)).status).toBe(200);
});

test('bad signatures of one address are counted as failed authentications', async () => {
  const forged = () =>
    service.call('/v1/purchases/notifications', { body: { signedPayload: 'a.b.c' } });
  const statuses = [(await forged()).status, (await forged()).status, (await forged()).status];
  expect(statuses[0]).toBe(401);
  expect(statuses.slice(1)).toEqual([429, 429]);
});
