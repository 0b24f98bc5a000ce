import { afterAll, describe, expect, test } from 'bun:test';
import { sealSecret } from '../../../src/modules/sales/webhook/manage.ts';
import { upsertSecret } from '../../../src/modules/sales/webhook/queries.ts';
import { createPushVerifier } from '../../../src/providers/play-store/push.ts';
import { createSql } from '../../../src/storage/postgres.ts';
import { notificationPayload } from '../../simulators/store-server/payloads.ts';
import { signatureOf } from '../../simulators/store/webhooks.ts';
import { startPlayService } from '../../support/play-service.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startPurchaseService } from '../../support/purchase-service.ts';
import { type Answer, createTestOrg, type TestService } from '../../support/service.ts';

const NOWHERE = '127.0.0.1:1';
const database = await testDatabase();
const away = createSql(`postgres://${NOWHERE}/none`, {
  maxConnections: 1,
  applicationName: 'test',
});
afterAll(() => away.end());

async function withoutDatabase({ deps }: TestService, send: () => Promise<Answer>) {
  const { sql } = deps;
  deps.sql = away;
  try {
    return await send();
  } finally {
    deps.sql = sql;
  }
}

/** Whoever sent it sends it again. */
function expectComesBack({ status, headers }: Answer) {
  expect(status).toBeGreaterThanOrEqual(500);
  return headers.get('retry-after');
}

describe('a notification of the App Store', async () => {
  const service = await startPurchaseService(database);
  const notification = (bundleId: string) => {
    const data = { bundleId, bundleVersion: '1', environment: 'Sandbox' };
    const signedPayload = service.store.sign(
      notificationPayload({ notificationType: 'TEST', data }),
    );
    return () => service.call('/v1/purchases/notifications', { body: { signedPayload } });
  };

  test('is asked for again while the database is away', async () => {
    const { bundleId } = await service.app();
    const send = notification(bundleId);
    expect(expectComesBack(await withoutDatabase(service, () => send()))).not.toBeNull();
    expect((await send()).body).toEqual({ received: true });
  });

  test('is asked for again while no app is linked, and taken once one is', async () => {
    const bundleId = 'com.example.linked-later';
    const send = notification(bundleId);
    expect(expectComesBack(await send())).not.toBeNull();
    await service.app(undefined, bundleId);
    expect((await send()).body).toEqual({ received: true });
  });
});

describe('a push of Google Play', async () => {
  const service = await startPlayService(database);
  const { connected, deps, push } = service;
  const TEST = { testNotification: { version: '1.0' } };

  test('is asked for again while the database is away', async () => {
    const app = await connected();
    const { call } = service;
    const address = (
      await call(`/v1/apps/${app.appId}/purchases/play-store`, { headers: app.org.key })
    ).body.pushAddress;
    const send = () =>
      call(new URL(address).pathname, { body: { message: { data: 'e30=', messageId: '1' } } });
    expect(expectComesBack(await withoutDatabase(service, send))).not.toBeNull();
  });

  test('is asked for again while the keys of Google cannot be read', async () => {
    const app = await connected();
    const { playPushes } = deps;
    deps.playPushes = createPushVerifier({
      ...{ certsUrl: `http://${NOWHERE}/certs`, clock: deps.clock },
    });
    expectComesBack(await push(app, TEST));
    deps.playPushes = playPushes;
    expect((await push(app, TEST)).body).toEqual({ received: true });
  });
});

describe('a webhook of App Store Connect', async () => {
  const service = await startPurchaseService(database);
  const { deps } = service;
  const { orgId } = await createTestOrg(service);
  const secret = 'a secret of the address';
  const hookId = 'h'.repeat(24);
  await upsertSecret(
    deps.sql,
    { orgId, storeAppId: '4711' },
    { hookId, sealedSecret: sealSecret(deps, orgId, secret), at: deps.clock() },
  );
  const send = ({ call }: TestService = service) => {
    const rawBody = JSON.stringify({
      data: { type: 'webhookPingCreated', id: crypto.randomUUID(), version: 1 },
    });
    const headers = { 'x-apple-signature': signatureOf(secret, rawBody) };
    return call(`/v1/store/webhooks/${hookId}`, { rawBody, headers });
  };

  test('is asked for again while the database is away', async () => {
    expect(expectComesBack(await withoutDatabase(service, () => send()))).not.toBeNull();
    expect((await send()).body).toEqual({ received: true });
  });

  test('is asked for again while the key of secrets is another one', async () => {
    const other = Buffer.alloc(32, 1).toString('base64');
    const elsewhere = await startPurchaseService(database, { env: { SECRETS_KEY: other } });
    expectComesBack(await send(elsewhere));
    expect((await send()).body).toEqual({ received: true });
  });

  test('with wrong signatures keeps out no other one of the same sender', async () => {
    const limited = await startPurchaseService(database, { env: { RATE_LIMIT_SCALE: '1' } });
    const other = { hookId: 'i'.repeat(24), sealedSecret: sealSecret(deps, orgId, secret) };
    await upsertSecret(deps.sql, { orgId, storeAppId: '4712' }, { ...other, at: deps.clock() });
    const statusOf = async (hook: string, signed: string) => {
      const rawBody = JSON.stringify({
        data: { type: 'webhookPingCreated', id: crypto.randomUUID(), version: 1 },
      });
      const headers = { 'x-apple-signature': signatureOf(signed, rawBody) };
      return (await limited.call(`/v1/store/webhooks/${hook}`, { rawBody, headers })).status;
    };
    for (let sent = 0; sent < 60; sent += 1) expect(await statusOf(hookId, 'wrong')).toBe(401);
    expect(await statusOf(hookId, secret)).toBe(429);
    expect(await statusOf(other.hookId, secret)).toBe(200);
  });
});
