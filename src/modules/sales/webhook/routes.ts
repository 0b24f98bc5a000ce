import { Type } from '@sinclair/typebox';
import { created, removed } from '../../../http/acts.ts';
import { taggedRoutes } from '../../../http/route.ts';
import { addressGroup } from '../../../shared/client-address.ts';
import { Nullable } from '../../../shared/schema.ts';
import { getStoreWebhook, putStoreWebhook, removeStoreWebhook } from './manage.ts';
import { MadeStoreWebhook, StoreWebhook, StoreWebhookBody, StoreWebhookReceived } from './model.ts';
import { receiveStoreWebhook } from './receive.ts';

const MANAGE = { permission: 'integration:manage' } as const;

export const storeWebhookRoutes = taggedRoutes('Store', '')
  .get('/v1/apps/:id/store-webhook', ({ ctx }) => getStoreWebhook(ctx), {
    forApp: MANAGE,
    response: { 200: Nullable(StoreWebhook) },
    detail: {
      operationId: 'getStoreWebhook',
      summary: 'The webhook with which the store tells of versions, without its secret',
      description: 'null before one was made.',
    },
  })
  .post('/v1/apps/:id/store-webhook', created(putStoreWebhook), {
    forApp: { ...MANAGE, errors: ['store_app_not_found', 'secret_storage_unavailable'] },
    response: { 201: MadeStoreWebhook },
    detail: {
      operationId: 'createStoreWebhook',
      summary: 'Make the webhook in the store’s account, or give it a new secret',
      description:
        'A key that may not make webhooks leaves it to a person: the answer has the secret to enter then. The secret before holds for another day.',
    },
  })
  .delete('/v1/apps/:id/store-webhook', removed(removeStoreWebhook), {
    forApp: { ...MANAGE, errors: ['secret_storage_unavailable'] },
    response: { 204: Type.Void() },
    detail: {
      operationId: 'deleteStoreWebhook',
      summary: 'Remove the webhook, in the store’s account too where the key made it',
      description: 'States of versions are then read once a day.',
    },
  })
  .post(
    '/v1/store/webhooks/:hookId',
    ({ ctx, params, body }) =>
      receiveStoreWebhook(ctx, {
        hookId: params.hookId,
        body,
        rawBody: ctx.rawBody,
        signature: ctx.headers.get('x-apple-signature'),
        sender: addressGroup(ctx.address),
      }),
    {
      open: {
        limit: 'notifications',
        errors: ['invalid_signature', 'not_found', 'secret_storage_unavailable'],
      },
      body: StoreWebhookBody,
      response: { 200: StoreWebhookReceived },
      detail: {
        operationId: 'receiveStoreWebhook',
        summary: 'Webhooks of App Store Connect, sent by the store',
        description:
          'Signed with the secret of the address (x-apple-signature). What it says is a hint to ask the store again; each is taken once.',
      },
    },
  );
