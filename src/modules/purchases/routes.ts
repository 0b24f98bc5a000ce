import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import {
  appContext,
  callerAddress,
  deviceContext,
  orgContext,
  systemContext,
} from '../../http/state.ts';
import { Nullable } from '../../shared/schema.ts';
import {
  connectPurchaseKey,
  disconnectPurchaseKey,
  getPurchaseConnection,
  testPurchaseConnection,
} from './connection.ts';
import { getEntitlement } from './get-entitlement.ts';
import { listPurchaseAudit } from './list-audit.ts';
import {
  AuditPage,
  AuditQuery,
  ConnectBody,
  Entitlement,
  EntitlementQuery,
  NotificationBody,
  PatchedSettings,
  PurchaseConnection,
  PurchaseSettings,
  Received,
  SettingsPatch,
  TestAnswer,
  TestBody,
  VerifyBody,
} from './model.ts';
import { receiveNotification } from './receive-notification.ts';
import { getPurchaseSettings, patchPurchaseSettings } from './settings.ts';
import { verifyPurchase } from './verify.ts';

const connectionRoutes = new Elysia({
  prefix: '/v1/purchases/connection',
  detail: { tags: ['Purchases'] },
})
  .get('', ({ request }) => getPurchaseConnection(orgContext(request)), {
    response: { 200: Nullable(PurchaseConnection) },
    detail: { summary: 'The purchase key of the organization and its status, never the key' },
  })
  .put('', ({ request, body }) => connectPurchaseKey(orgContext(request), body), {
    body: ConnectBody,
    response: { 200: PurchaseConnection },
    detail: { summary: 'Connect an In-App Purchase key; it is verified with the store first' },
  })
  .delete(
    '',
    async ({ request, set }) => {
      await disconnectPurchaseKey(orgContext(request));
      set.status = 204;
    },
    {
      response: { 204: Type.Void() },
      detail: { summary: 'Disconnect and delete the purchase key' },
    },
  )
  .post('/test', ({ request, body }) => testPurchaseConnection(orgContext(request), body ?? {}), {
    body: TestBody,
    response: { 200: TestAnswer },
    detail: { summary: "Ask for the store's test notification; says when the last one came" },
  });

const deviceRoutes = new Elysia({ prefix: '/v1/purchases', detail: { tags: ['Purchases'] } })
  .post(
    '/verify',
    ({ request, body }) =>
      verifyPurchase(deviceContext(request), { ...body, address: callerAddress(request) }),
    {
      body: VerifyBody,
      response: { 200: Entitlement },
      detail: { summary: 'Hand over a completed purchase transaction' },
    },
  )
  .get('/entitlement', ({ request, query }) => getEntitlement(deviceContext(request), query), {
    query: EntitlementQuery,
    response: { 200: Entitlement },
    detail: { summary: 'Whether this person may use what they paid for' },
  })
  .post(
    '/notifications',
    ({ request, body }) =>
      receiveNotification(systemContext(request), { ...body, address: callerAddress(request) }),
    {
      body: NotificationBody,
      response: { 200: Received },
      detail: { summary: 'Store server notifications V2, sent by the store' },
    },
  );

const settingsRoutes = new Elysia({
  prefix: '/v1/apps/:id/purchases',
  detail: { tags: ['Purchases'] },
})
  .get('/settings', ({ request }) => getPurchaseSettings(appContext(request)), {
    response: { 200: PurchaseSettings },
    detail: { summary: 'How purchases of an app are owned, tested and forwarded' },
  })
  .patch('/settings', ({ request, body }) => patchPurchaseSettings(appContext(request), body), {
    body: SettingsPatch,
    response: { 200: PatchedSettings },
    detail: { summary: 'Change some of the settings' },
  })
  .get('/audit', ({ request, query }) => listPurchaseAudit(appContext(request), query), {
    query: AuditQuery,
    response: { 200: AuditPage },
    detail: { summary: 'Who held which purchase when, newest first' },
  });

export const purchasesRoutes = new Elysia()
  .use(connectionRoutes)
  .use(deviceRoutes)
  .use(settingsRoutes);
