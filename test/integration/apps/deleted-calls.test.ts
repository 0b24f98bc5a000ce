import { expect, test } from 'bun:test';
import { forwardPurchaseNotification } from '../../../src/modules/purchases/app-store/notifications/forward.ts';
import { readPurchaseHistories } from '../../../src/modules/purchases/app-store/read-history.ts';
import { recoverPurchasePage } from '../../../src/modules/purchases/app-store/recover.ts';
import { selectPending } from '../../../src/modules/messages/queries.ts';
import { newToken, ofToken, startPlayService } from '../../support/play-service.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, startPurchaseService } from '../../support/purchase-service.ts';

const DAY_MS = 86_400_000;

test('Google Play is asked nothing about a deleted app', async () => {
  const service = await startPlayService(await testDatabase());
  const app = await service.connected();
  const token = newToken();
  service.sell({ token });
  expect((await service.push(app, ofToken(token))).status).toBe(200);
  const path = `/v1/apps/${app.appId}`;
  const deleted = await service.call(path, { method: 'DELETE', headers: app.org.key });
  expect(deleted.status).toBe(200);
  const before = service.play.requests.length;
  await service.askNow(app);
  expect(service.play.requests.slice(before)).toEqual([]);
});

test('the App Store is asked nothing about one, and nothing is forwarded or told', async () => {
  const posted: string[] = [];
  const egress = async ({ url }: { url: string }) => {
    posted.push(url);
    return { status: 200 };
  };
  const service = await startPurchaseService(await testDatabase(), {
    with: (deps) => ({ egress: { ...deps.egress, post: egress } }),
  });
  const { call, clock, deps, store } = service;
  const app = await service.app();
  await service.connect(app);
  const headers = app.org.key;
  const path = `/v1/apps/${app.appId}`;
  const settings = { forwardUrl: 'https://example.com/forward' };
  const patched = await call(`${path}/purchases/settings`, {
    method: 'PATCH',
    headers,
    body: settings,
  });
  expect(patched.status).toBe(200);
  const bought = buy(app, clock.now - DAY_MS);
  await service.deliver(bought, bought.told[0]!, app);
  const scope = { orgId: app.org.orgId, appId: app.appId };
  await deps.sql`
    INSERT INTO messages (org_id, message_id, app_id, kind, text, created_at)
    VALUES (${scope.orgId}, 'msg_1', ${scope.appId}, 'subscriber', 'somebody', now())`;
  expect(await selectPending(deps.sql, scope.orgId, 9)).toHaveLength(1);
  expect((await call(path, { method: 'DELETE', headers })).status).toBe(200);

  const ctx = { deps, requestId: 'test' };
  const before = store.production.requests.length;
  const [forward] = await deps.sql<{ environment: 'Production'; notificationId: string }[]>`
    SELECT environment, notification_id AS "notificationId" FROM purchase_forwards
    WHERE app_id = ${scope.appId}`;
  await forwardPurchaseNotification(ctx, { ...scope, ...forward! });
  await readPurchaseHistories(ctx, scope).catch(() => undefined);
  const window = { startMs: clock.now - DAY_MS, endMs: clock.now };
  const step = { ...scope, environment: 'Production' as const, window, paginationToken: null };
  await recoverPurchasePage(ctx, step).catch(() => undefined);
  expect(await selectPending(deps.sql, scope.orgId, 9)).toEqual([]);
  expect([posted, store.production.requests.length]).toEqual([[], before]);
});
