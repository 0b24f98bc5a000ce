import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../http/route.ts';
import { created, removed } from '../../http/acts.ts';
import { listDeliveries, redeliver, resendDeliveries, testWebhook } from './deliveries.ts';
import { deliveryExists, webhookExists } from './index.ts';
import * as model from './model.ts';
import * as webhooks from './webhooks.ts';

const MANAGE = { permission: 'integration:manage' } as const;
const ONE = { ...MANAGE, owns: { webhookId: webhookExists } } as const;

export const webhooksRoutes = taggedRoutes('Webhooks', '/v1/webhooks')
  .get('', ({ ctx }) => webhooks.listWebhooks(ctx), {
    forOrganization: MANAGE,
    response: { 200: Type.Array(model.Webhook) },
    detail: {
      operationId: 'listWebhooks',
      summary: 'List the webhooks of the organization',
      description: 'Ten at most, and never their secrets.',
    },
  })
  .post('', created(webhooks.createWebhook), {
    forOrganization: { ...MANAGE, errors: ['conflict', 'secret_storage_unavailable'] },
    body: model.CreateWebhookBody,
    response: { 201: model.CreatedWebhook },
    detail: {
      operationId: 'createWebhook',
      summary: 'Register an address for events; its secret is shown this once',
      description: 'Deliveries are signed as Standard Webhooks and tried again for a day.',
    },
  })
  .patch(
    '/:webhookId',
    ({ ctx, params, body }) => webhooks.changeWebhook(ctx, { ...params, ...body }),
    {
      forOrganization: ONE,
      body: model.ChangeWebhookBody,
      response: { 200: model.Webhook },
      detail: {
        operationId: 'changeWebhook',
        summary: 'Change the address or events of a webhook, or switch it off and on',
        description:
          'While it is switched off nothing is sent; what happens is kept for 30 days as failed deliveries, which POST /v1/webhooks/{id}/resend sends later.',
      },
    },
  )
  .post(
    '/:webhookId/rotate',
    ({ ctx, params, body }) => webhooks.rotateWebhookSecret(ctx, { ...params, ...body }),
    {
      forOrganization: { ...ONE, errors: ['secret_storage_unavailable'] },
      body: model.RotateBody,
      response: { 200: model.CreatedWebhook },
      detail: {
        operationId: 'rotateWebhookSecret',
        summary: 'Replace the secret of a webhook; the new one is shown this once',
        description:
          'For `overlapSeconds` every delivery carries a signature of both secrets, so that receivers can change over without losing one.',
      },
    },
  )
  .post(
    '/:webhookId/test',
    async ({ ctx, params, body, status }) =>
      status(202, await testWebhook(ctx, { ...params, ...body })),
    {
      forOrganization: { ...ONE, errors: ['conflict'] },
      body: model.TestBody,
      response: { 202: model.Tested },
      detail: {
        operationId: 'testWebhook',
        summary: 'Send a test event to a webhook',
        description:
          'Sends `webhook.test`, or an example of the type `event`; the body has `test: true`. How it went is in the deliveries of the webhook.',
      },
    },
  )
  .post(
    '/:webhookId/resend',
    async ({ ctx, params, body, status }) =>
      status(202, await resendDeliveries(ctx, { ...params, ...body })),
    {
      forOrganization: { ...ONE, errors: ['conflict'] },
      body: model.ResendBody,
      response: { 202: model.Resent },
      detail: {
        operationId: 'resendWebhookDeliveries',
        summary: 'Send the deliveries of a time again',
        description:
          'Sends finished deliveries of at most 30 days again, oldest first, under their own ids, in the background. 1,000 at a time: `nextFrom` says where to go on.',
      },
    },
  )
  .delete('/:webhookId', removed(webhooks.deleteWebhook), {
    forOrganization: ONE,
    response: { 204: Type.Void() },
    detail: {
      operationId: 'deleteWebhook',
      summary: 'Remove a webhook',
      description: 'Nothing is delivered to it any more.',
    },
  })
  .get(
    '/:webhookId/deliveries',
    ({ ctx, params, query }) => listDeliveries(ctx, { ...params, ...query }),
    {
      forOrganization: ONE,
      query: model.DeliveriesQuery,
      response: { 200: model.Deliveries },
      detail: {
        operationId: 'listWebhookDeliveries',
        summary: 'What was delivered, newest first, with every attempt',
        description: 'Each attempt with the status or the fault; kept for 30 days.',
      },
    },
  )
  .post(
    '/:webhookId/deliveries/:deliveryId/redeliver',
    async ({ ctx, params, status }) => {
      await redeliver(ctx, params);
      return status(202, { accepted: true as const });
    },
    {
      forOrganization: {
        ...MANAGE,
        owns: { webhookId: webhookExists, deliveryId: deliveryExists },
        errors: ['conflict'],
      },
      response: { 202: model.AcceptedDelivery },
      detail: {
        operationId: 'redeliverWebhook',
        summary: 'Deliver again',
        description: 'The same body and id, signed anew.',
      },
    },
  );
