import { expect, test } from 'bun:test';
import { type PlayApp, SERVICE_ACCOUNT, startPlayService } from '../../../support/play-service.ts';
import { testDatabase } from '../../../support/postgres.ts';
import { createTestKey, createTestOrg } from '../../../support/service.ts';

const service = await startPlayService(await testDatabase());
const pathOf = ({ appId }: PlayApp) => `/v1/apps/${appId}/purchases/play-store`;

const put = (app: PlayApp, body: object = {}, headers = app.org.key) =>
  service.call(pathOf(app), {
    method: 'PUT',
    headers,
    body: {
      packageName: app.packageName,
      serviceAccount: JSON.stringify(SERVICE_ACCOUNT),
      ...body,
    },
  });
const check = (app: PlayApp) =>
  service.call(`${pathOf(app)}/check`, { method: 'POST', headers: app.org.key });

test('a service account is connected, shown without its key, and deleted', async () => {
  const app = await service.app();
  const { org } = app;
  const none = await service.call(pathOf(app), { headers: org.key });
  expect([none.status, none.body]).toEqual([200, null]);
  const at = new Date(service.clock.now).toISOString();
  const made = await put(app);
  expect([made.status, made.body]).toEqual([
    200,
    {
      appId: app.appId,
      packageName: app.packageName,
      clientEmail: SERVICE_ACCOUNT.client_email,
      privateKeyId: SERVICE_ACCOUNT.private_key_id,
      pushEmail: null,
      pushAddress: `http://localhost:3000/v1/purchases/play-store/notifications/${app.appId}`,
      lastNotificationAt: null,
      lastTestAt: null,
      status: 'connected',
      connectedAt: at,
      lastVerifiedAt: at,
      lastError: null,
    },
  ]);
  expect(made.text).not.toContain('PRIVATE KEY');
  expect((await service.call(pathOf(app), { headers: org.key })).body).toEqual(made.body);
  const gone = await service.call(pathOf(app), { method: 'DELETE', headers: org.key });
  expect(gone.status).toBe(204);
  expect((await service.call(pathOf(app), { headers: org.key })).body).toBeNull();
  expect((await check(app)).body.error.code).toBe('store_not_connected');
});

test('the key is sealed in the database', async () => {
  const app = await service.app();
  await service.connect(app);
  const [row] = await service.deps.sql<{ sealed_key: string }[]>`
    SELECT sealed_key FROM play_connections WHERE app_id = ${app.appId}`;
  expect(row?.sealed_key).toStartWith('v1.');
  expect(row?.sealed_key).not.toContain('PRIVATE');
});

test('a missing permission refuses the key and says what to do', async () => {
  const app = await service.app();
  service.play.setPermission(false);
  const refused = await put(app);
  expect([refused.status, refused.body.error.code]).toEqual([403, 'store_role_missing']);
  expect(refused.body.error.hint).toContain('Users and permissions');
  service.play.setPermission(true);
  expect((await service.call(pathOf(app), { headers: app.org.key })).body).toBeNull();
});

test('a check says what is missing, and that it is there again', async () => {
  const app = await service.app();
  await service.connect(app);
  service.play.setPermission(false);
  const lost = await check(app);
  service.play.setPermission(true);
  expect([lost.status, lost.body.status]).toEqual([200, 'invalid']);
  expect(lost.body.lastError).toContain('Users and permissions');
  const back = await check(app);
  expect(back.body).toMatchObject({ status: 'connected', lastError: null });
});

test('trouble of Google is no fault of the key', async () => {
  const app = await service.app();
  await service.connect(app);
  service.play.faults.next({ kind: 'status', status: 503 }, { match: /voided/ });
  const answer = await check(app);
  expect([answer.status, answer.body.error.code]).toEqual([502, 'store_unavailable']);
  const shown = await service.call(pathOf(app), { headers: app.org.key });
  expect(shown.body.status).toBe('connected');
});

test('an app that Google Play does not have, and a file that is none, are refused', async () => {
  const app = await service.app();
  const unknown = await put(app, { packageName: 'com.example.nobody' });
  expect([unknown.status, unknown.body.error.code]).toEqual([404, 'store_app_not_found']);
  const none = await put(app, { serviceAccount: '{}' });
  expect(none.body.error).toMatchObject({ code: 'invalid_input' });
  expect(none.body.error.hint).toStartWith('serviceAccount: ');
  for (const packageName of ['focus', '..', 'com.example/focus']) {
    expect((await put(app, { packageName })).status).toBe(400);
  }
});

test('needs the permission "integration: manage", in the organization of the app', async () => {
  const app = await service.app();
  const reader = await createTestKey(service, app.org, ['analytics:read', 'app:read']);
  expect((await put(app, {}, reader)).status).toBe(403);
  const stranger = await createTestOrg(service);
  expect((await put(app, {}, stranger.key)).status).toBe(404);
});
