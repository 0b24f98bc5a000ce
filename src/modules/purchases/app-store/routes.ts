import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../../http/route.ts';
import { addressGroup } from '../../../shared/client-address.ts';
import { Nullable } from '../../../shared/schema.ts';
import { STORE_ERRORS } from '../model/store.ts';
import * as connection from './connection.ts';
import * as model from './connection/model.ts';
import { receiveNotification } from './notifications/receive.ts';

export const connectionRoutes = taggedRoutes('Purchases', '/v1/purchases/connection')
  .get('', ({ ctx }) => connection.getPurchaseConnection(ctx), {
    forOrganization: { permission: 'integration:manage' },
    response: { 200: Nullable(model.PurchaseConnection) },
    detail: {
      operationId: 'getPurchaseConnection',
      summary: 'The purchase key of the organization and its status, never the key',
      description: 'null where none is connected.',
    },
  })
  .put('', ({ ctx, body }) => connection.connectPurchaseKey(ctx, body), {
    forOrganization: {
      permission: 'integration:manage',
      errors: [...STORE_ERRORS, 'conflict', 'secret_storage_unavailable'],
    },
    body: model.ConnectBody,
    response: { 200: model.PurchaseConnection },
    detail: {
      operationId: 'connectPurchaseKey',
      summary: 'Connect an In-App Purchase key; it is verified with the store first',
      description:
        'Kept sealed and never returned. With it the history of every known purchase is read.',
    },
  })
  .delete('', async ({ ctx, status }) => status(204, await connection.disconnectPurchaseKey(ctx)), {
    forOrganization: { permission: 'integration:manage' },
    response: { 204: Type.Void() },
    detail: {
      operationId: 'disconnectPurchaseKey',
      summary: 'Disconnect and delete the purchase key',
      description: 'Signed transactions and notifications count without it.',
    },
  })
  .post('/test', ({ ctx, body }) => connection.testPurchaseConnection(ctx, body ?? {}), {
    forOrganization: {
      permission: 'integration:manage',
      errors: [...STORE_ERRORS, 'not_found', 'store_not_connected', 'secret_storage_unavailable'],
    },
    body: model.TestBody,
    response: { 200: model.TestAnswer },
    detail: {
      operationId: 'testPurchaseConnection',
      summary: "Ask for the store's test notification; says when the last one came",
      description:
        'The store sends it to the address that is set in App Store Connect, within a minute as a rule.',
    },
  });

export const notificationRoutes = taggedRoutes('Purchases', '/v1/purchases').post(
  '/notifications',
  ({ ctx, body }) => receiveNotification(ctx, { ...body, address: addressGroup(ctx.address) }),
  {
    open: { limit: 'notifications', errors: ['invalid_signature'] },
    body: model.NotificationBody,
    response: { 200: model.Received },
    detail: {
      operationId: 'receiveStoreNotification',
      summary: 'Store server notifications V2, sent by the store',
      description:
        'The address to set in App Store Connect. Authenticated by the signature of the store; answered once it is kept.',
    },
  },
);
