import { describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { HTML_500 } from '../../simulators/kit/faults.ts';
import { notificationPayload } from '../../simulators/store-server/payloads.ts';
import { tooManyRequests } from '../../simulators/store-server/server.ts';
import { testDatabase } from '../../support/postgres.ts';
import { PURCHASE_KEY, startPurchaseService } from '../../support/purchase-service.ts';
import { createTestKey, createTestOrg, startTestService } from '../../support/service.ts';

const database = await testDatabase();
const service = await startPurchaseService(database);
const { store } = service;
const PATH = '/v1/purchases/connection';

const put = (headers: Record<string, string>, body: unknown = PURCHASE_KEY) =>
  service.call(PATH, { method: 'PUT', headers, body });

const otherPem = (curve: 'P-256' | 'P-384') =>
  generateKeyPairSync('ec', { namedCurve: curve })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();

describe('the purchase key', () => {
  test('is connected, shown without itself, replaced and deleted', async () => {
    const { org } = await service.app();
    const none = await service.call(PATH, { headers: org.key });
    expect([none.status, none.body]).toEqual([200, null]);
    const made = await put(org.key);
    expect(made.status).toBe(200);
    expect(made.body).toEqual({
      orgId: org.orgId,
      keyId: PURCHASE_KEY.keyId,
      issuerId: PURCHASE_KEY.issuerId,
      status: 'connected',
      connectedAt: new Date(service.clock.now).toISOString(),
      lastVerifiedAt: new Date(service.clock.now).toISOString(),
      lastError: null,
    });
    expect(made.text).not.toContain('PRIVATE KEY');
    expect((await service.call(PATH, { headers: org.key })).body).toEqual(made.body);
    expect((await put(org.key)).status).toBe(200);
    const gone = await service.call(PATH, { method: 'DELETE', headers: org.key });
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await service.call(PATH, { headers: org.key })).body).toBeNull();
    expect((await service.call(PATH, { method: 'DELETE', headers: org.key })).status).toBe(204);
  });

  test('is sealed in the database', async () => {
    const app = await service.app();
    await service.connect(app);
    const [row] = await service.deps.sql<{ sealed_key: string }[]>`
      SELECT sealed_key FROM purchase_connections WHERE org_id = ${app.org.orgId}`;
    expect(row?.sealed_key).toStartWith('v1.');
    expect(row?.sealed_key).not.toContain('PRIVATE');
  });

  test('needs an app that the store knows', async () => {
    const org = await createTestOrg(service);
    const answer = await put(org.key);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
    expect(answer.body.error.hint).toContain('Import');
  });

  test('that is none is 400 and names the field', async () => {
    const { org } = await service.app();
    for (const privateKey of [otherPem('P-384'), 'x'.repeat(200)]) {
      const answer = await put(org.key, { ...PURCHASE_KEY, privateKey });
      expect(answer.body.error).toMatchObject({ code: 'invalid_input' });
      expect(answer.body.error.hint).toStartWith('privateKey: ');
    }
    for (const body of [{}, { ...PURCHASE_KEY, keyId: 'abc' }, { ...PURCHASE_KEY, issuerId: 7 }]) {
      expect((await put(org.key, body)).status).toBe(400);
    }
  });

  test('that the store refuses is not stored; its trouble is told as such', async () => {
    const { org } = await service.app();
    const wrong = await put(org.key, { ...PURCHASE_KEY, privateKey: otherPem('P-256') });
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'store_credentials_rejected']);
    const cases = [
      [{ kind: 'status' as const, status: 403 }, 403, 'store_role_missing'],
      [tooManyRequests(Date.now() + 20_000), 429, 'store_rate_limited'],
      [HTML_500, 502, 'store_unavailable'],
      [{ kind: 'status' as const, status: 503 }, 502, 'store_unavailable'],
    ] as const;
    for (const [fault, status, code] of cases) {
      store.production.faults.next(fault);
      const answer = await put(org.key);
      expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    }
    expect((await service.call(PATH, { headers: org.key })).body).toBeNull();
  });

  test('without secret storage is 503', async () => {
    const bare = await startTestService(database, { env: { SECRETS_KEY: '' } });
    const { org } = await service.app();
    const answer = await bare.call(PATH, { method: 'PUT', headers: org.key, body: PURCHASE_KEY });
    expect([answer.status, answer.body.error.code]).toEqual([503, 'secret_storage_unavailable']);
  });

  test('needs the permission "integration: manage"', async () => {
    const { org } = await service.app();
    const reader = await createTestKey(service, org, ['analytics:read', 'app:read', 'app:update']);
    for (const method of ['GET', 'DELETE']) {
      expect((await service.call(PATH, { method, headers: reader })).status).toBe(403);
    }
    expect((await put(reader)).status).toBe(403);
  });
});

describe('the test of the connection', () => {
  const ask = (headers: Record<string, string>, body?: unknown) =>
    service.call(`${PATH}/test`, { method: 'POST', headers, ...(body ? { body } : {}) });

  test('asks the store, and says when the last notification came', async () => {
    const app = await service.app();
    await service.connect(app);
    const first = await ask(app.org.key);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      requested: true,
      appId: app.appId,
      environment: 'Production',
      lastNotificationAt: null,
      lastTestNotificationAt: null,
    });
    const data = { bundleId: app.bundleId, bundleVersion: '1', environment: 'Sandbox' };
    const signedPayload = store.sign(notificationPayload({ notificationType: 'TEST', data }));
    await service.call('/v1/purchases/notifications', { body: { signedPayload } });
    await service.applyAll();
    const second = await ask(app.org.key, { appId: app.appId, environment: 'Sandbox' });
    const at = new Date(service.clock.now).toISOString();
    expect(second.body.lastTestNotificationAt).toBe(at);
    const path = `/v1/apps/${app.appId}/purchases/notifications`;
    const seen = await service.call(path, { headers: app.org.key });
    expect(seen.body).toEqual({
      production: { lastNotificationAt: null, lastTestNotificationAt: null },
      sandbox: { lastNotificationAt: at, lastTestNotificationAt: at },
    });
  });

  test('needs a key, and an app of the organization', async () => {
    const [app, other] = [await service.app(), await service.app()];
    const none = await ask(app.org.key);
    expect([none.status, none.body.error.code]).toEqual([404, 'store_not_connected']);
    const foreign = await ask(app.org.key, { appId: other.appId });
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'not_found']);
  });

  test('shows on the connection that the key was revoked, not one stray refusal', async () => {
    const app = await service.app();
    await service.connect(app);
    store.production.faults.next({ kind: 'status', status: 401 }, { match: /notifications\/test/ });
    expect((await ask(app.org.key)).status).toBe(200);
    const kept = await service.call(PATH, { headers: app.org.key });
    expect(kept.body).toMatchObject({ status: 'connected', lastError: null });
    store.revokeKey(PURCHASE_KEY.keyId);
    const answer = await ask(app.org.key);
    expect(answer.body.error.code).toBe('store_credentials_rejected');
    const shown = await service.call(PATH, { headers: app.org.key });
    expect(shown.body).toMatchObject({ status: 'invalid' });
    expect(shown.body.lastError).not.toBeNull();
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    store.addKey({ ...PURCHASE_KEY, publicKey });
  });
});

describe('the settings of an app', () => {
  test('have defaults, change one by one, and are checked', async () => {
    const app = await service.app();
    const path = `/v1/apps/${app.appId}/purchases/settings`;
    const patch = (body: unknown) =>
      service.call(path, { method: 'PATCH', headers: app.org.key, body });
    const first = await service.call(path, { headers: app.org.key });
    expect(first.body).toEqual({
      ownership: 'transfer',
      sandboxAccess: 'anybody',
      sandboxListed: [],
      forwardUrl: null,
    });
    expect((await patch({ ownership: 'share' })).body).toMatchObject({ ownership: 'share' });
    const on = await patch({ forwardUrl: 'https://hooks.example.com/in' });
    expect(on.body.forwardSecret).toStartWith('whsec_');
    expect(on.body).toMatchObject({
      ownership: 'share',
      forwardUrl: 'https://hooks.example.com/in',
    });
    const again = await patch({ forwardUrl: 'https://hooks.example.com/other' });
    expect(again.body.forwardSecret).toBeUndefined();
    expect((await patch({ forwardUrl: null })).body.forwardUrl).toBeNull();
    for (const forwardUrl of ['http://example.com', 'https://127.0.0.1/', 'https://[::1]/', 'x']) {
      const refused = await patch({ forwardUrl });
      expect(refused.status).toBe(400);
      expect(refused.body.error.hint).toStartWith('forwardUrl: ');
    }
    expect((await patch({ ownership: 'steal' })).status).toBe(400);
  });

  test('are read with "app: read" and changed with "integration: manage"', async () => {
    const app = await service.app();
    const path = `/v1/apps/${app.appId}/purchases/settings`;
    const reader = await createTestKey(service, app.org, ['app:read', 'app:update']);
    expect((await service.call(path, { headers: reader })).status).toBe(200);
    const body = { ownership: 'keep' };
    expect((await service.call(path, { method: 'PATCH', headers: reader, body })).status).toBe(403);
    const stranger = await createTestOrg(service);
    expect((await service.call(path, { headers: stranger.key })).status).toBe(404);
  });
});
