import { Elysia } from 'elysia';
import { taggedRoutes } from '../../http/route.ts';
import { addressGroup } from '../../shared/client-address.ts';
import { changesRoutes } from './app-store/changes-routes.ts';
import { SeenNotifications } from './app-store/connection/model.ts';
import { getSeenNotifications } from './app-store/notifications/seen.ts';
import { OfferSignature, SignOfferBody } from './app-store/offers/model.ts';
import { signOffer } from './app-store/offers/sign.ts';
import { noticeRoutes } from './app-store/notice-routes.ts';
import { refundRoutes } from './refunds/routes.ts';
import { connectionRoutes, notificationRoutes } from './app-store/routes.ts';
import { verifyPurchase } from './app-store/verify.ts';
import { backendRoutes } from './backend-routes.ts';
import { customersRoutes } from './customers/routes.ts';
import { getEntitlement } from './entitlement/get-entitlement.ts';
import { getPurchaseSettings, patchPurchaseSettings } from './entitlement/settings.ts';
import { entitlementRoutes } from './entitlement-routes.ts';
import * as wire from './model/wire.ts';
import { listPurchaseAudit } from './ownership/list-audit.ts';
import { GOOGLE_ERRORS } from '../../shared/google-errors.ts';
import { playConnectionRoutes, playNotificationRoutes } from './play-store/routes.ts';
import { verifyPlayPurchase } from './play-store/verify.ts';

const VERIFY_ERRORS = [
  ...(['invalid_transaction', 'transaction_not_for_app', 'conflict', 'not_found'] as const),
  ...GOOGLE_ERRORS,
  ...(['store_not_connected', 'secret_storage_unavailable'] as const),
] as const;

const SIGN_ERRORS = [
  'invalid_transaction',
  'transaction_not_for_app',
  'permission_denied',
  'store_not_connected',
  'store_credentials_rejected',
  'not_found',
  'secret_storage_unavailable',
] as const;

const deviceRoutes = taggedRoutes('Purchases', '/v1/purchases')
  .post(
    '/verify',
    // Elysia awaits what it can tell to be asynchronous by its text.
    async ({ ctx, body }) =>
      'signedTransaction' in body
        ? verifyPurchase(ctx, { ...body, address: addressGroup(ctx.address) })
        : verifyPlayPurchase(ctx, body),
    {
      forDevice: { limit: 'purchases', errors: VERIFY_ERRORS },
      body: wire.AnyVerifyBody,
      response: { 200: wire.Entitlement },
      detail: {
        operationId: 'verifyPurchase',
        summary: 'Hand over a completed purchase transaction',
        description:
          'Checks the signature of the store offline, keeps the transaction and answers what the person is entitled to. To be sent again until it is answered. A purchase token of Google Play is looked up there and acknowledged.',
      },
    },
  )
  .post(
    '/offers/sign',
    ({ ctx, body }) => signOffer(ctx, { ...body, address: addressGroup(ctx.address) }),
    {
      forDevice: { limit: 'offers', errors: SIGN_ERRORS },
      body: SignOfferBody,
      response: { 200: OfferSignature },
      detail: {
        operationId: 'signOffer',
        summary: 'The signature that StoreKit wants for an offer',
        description:
          'For the customer of the signed transaction in the request, by your In-App Purchase key: the publishable key proves nothing. Promotional offers are for customers who have, or had, a subscription of the group of the product, introductory ones for those who had none of the group; others are 403. At most 30 a minute for a device, 10 for a customer.',
      },
    },
  )
  .get('/entitlement', ({ ctx, query }) => getEntitlement(ctx, query), {
    forDevice: { limit: 'purchases', errors: ['not_found'] },
    query: wire.EntitlementQuery,
    response: { 200: wire.Entitlement },
    detail: {
      operationId: 'getEntitlement',
      summary: 'Whether this person may use what they paid for',
      description:
        'By user id, anonymous id, account token or transaction. Access lasts to the end of the paid period and through the grace period of the store; an app that gets no answer keeps what the device knows.',
    },
  });

const settingsRoutes = taggedRoutes('Purchases', '/v1/apps/:id/purchases')
  .get('/settings', ({ ctx }) => getPurchaseSettings(ctx), {
    forApp: { permission: 'app:read' },
    response: { 200: wire.PurchaseSettings },
    detail: {
      operationId: 'getPurchaseSettings',
      summary: 'How purchases of an app are owned, tested and forwarded',
      description:
        'Whose a purchase is when another user presents it, who may use sandbox purchases, and where notifications are forwarded.',
    },
  })
  .patch('/settings', ({ ctx, body }) => patchPurchaseSettings(ctx, body), {
    forApp: { permission: 'integration:manage', errors: ['secret_storage_unavailable'] },
    body: wire.SettingsPatch,
    response: { 200: wire.PatchedSettings },
    detail: {
      operationId: 'updatePurchaseSettings',
      summary: 'Change some of the settings',
      description: 'What is left out stays. Switching forwarding on shows its secret this once.',
    },
  })
  .get('/notifications', ({ ctx }) => getSeenNotifications(ctx), {
    forApp: { permission: 'app:read' },
    response: { 200: SeenNotifications },
    detail: {
      operationId: 'getSeenPurchaseNotifications',
      summary: 'When the store last sent a notification about an app, and a test one',
      description:
        'null in an environment from which none has come: set the address of the notifications in App Store Connect.',
    },
  })
  .get('/audit', ({ ctx, query }) => listPurchaseAudit(ctx, query), {
    forApp: { permission: 'app:read' },
    query: wire.AuditQuery,
    response: { 200: wire.AuditPage },
    detail: {
      operationId: 'listPurchaseAudit',
      summary: 'Who held which purchase when, newest first',
      description: 'Every link, claim and transfer of a purchase, a page at a time.',
    },
  });

export const purchasesRoutes = new Elysia()
  .use(connectionRoutes)
  .use(playConnectionRoutes)
  .use(playNotificationRoutes)
  .use(deviceRoutes)
  .use(notificationRoutes)
  .use(backendRoutes)
  .use(changesRoutes)
  .use(refundRoutes)
  .use(noticeRoutes)
  .use(customersRoutes)
  .use(entitlementRoutes)
  .use(settingsRoutes);
