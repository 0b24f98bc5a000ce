import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../../http/route.ts';
import { addressGroup } from '../../../shared/client-address.ts';
import { Nullable } from '../../../shared/schema.ts';
import * as connection from './connection.ts';
import { ConnectPlayBody, PlayConnection, PlayPushBody, PlayPushReceived } from './model.ts';
import { GOOGLE_ERRORS } from '../../../shared/google-errors.ts';
import { receivePlayNotification } from './receive.ts';

const MANAGE = { permission: 'integration:manage' } as const;

export const playConnectionRoutes = taggedRoutes('Purchases', '/v1/apps/:id/purchases/play-store')
  .get('', ({ ctx }) => connection.getPlayConnection(ctx), {
    forApp: MANAGE,
    response: { 200: Nullable(PlayConnection) },
    detail: {
      operationId: 'getPlayConnection',
      summary: 'The service account that reads Google Play for an app, never its key',
      description: 'null where none is connected.',
    },
  })
  .put('', ({ ctx, body }) => connection.connectPlayStore(ctx, body), {
    forApp: { ...MANAGE, errors: [...GOOGLE_ERRORS, 'secret_storage_unavailable'] },
    body: ConnectPlayBody,
    response: { 200: PlayConnection },
    detail: {
      operationId: 'connectPlayStore',
      summary: 'Connect Google Play by a service account; it is verified first',
      description:
        'The key is kept sealed and never returned. Where a permission is missing, `hint` says which and where it is given.',
    },
  })
  .delete('', async ({ ctx, status }) => status(204, await connection.disconnectPlayStore(ctx)), {
    forApp: MANAGE,
    response: { 204: Type.Void() },
    detail: {
      operationId: 'disconnectPlayStore',
      summary: 'Disconnect Google Play and delete the key',
      description: 'Purchases that were recorded stay as they were last seen.',
    },
  })
  .post('/check', ({ ctx }) => connection.checkPlayConnection(ctx), {
    forApp: {
      ...MANAGE,
      errors: [
        ...(['store_not_connected', 'store_rate_limited', 'store_unavailable'] as const),
        'secret_storage_unavailable',
      ],
    },
    response: { 200: PlayConnection },
    detail: {
      operationId: 'checkPlayConnection',
      summary: 'Ask Google Play whether the service account may read purchases',
      description:
        'Where it may not, `lastError` says what to do; permissions take up to 36 hours.',
    },
  });

export const playNotificationRoutes = taggedRoutes(
  'Purchases',
  '/v1/purchases/play-store/notifications',
).post(
  '/:appId',
  ({ ctx, params, body }) =>
    receivePlayNotification(ctx, {
      appId: params.appId,
      data: body.message.data,
      authorization: ctx.headers.get('authorization'),
      sender: addressGroup(ctx.address),
    }),
  {
    open: {
      limit: 'notifications',
      errors: ['invalid_signature', 'not_found', 'store_unavailable'],
    },
    body: PlayPushBody,
    response: { 200: PlayPushReceived },
    detail: {
      operationId: 'receivePlayNotification',
      summary: 'Real-time developer notifications of Google Play, pushed by Pub/Sub',
      description:
        'The address of a push subscription with authentication. What it says is a hint to ask Google Play; its list of voided purchases is read every hour in any case. A chargeback is kept and answered.',
    },
  },
);
