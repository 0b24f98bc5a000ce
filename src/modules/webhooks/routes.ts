import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import { listDeliveries, redeliver, resendDeliveries, testWebhook } from './deliveries.ts';
import { deliveryExists, webhookExists } from './index.ts';
import {
  AcceptedDelivery,
  ChangeWebhookBody,
  CreatedWebhook,
  CreateWebhookBody,
  Deliveries,
  DeliveriesQuery,
  ResendBody,
  Resent,
  RotateBody,
  TestBody,
  Tested,
  Webhook,
} from './model.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhookSecret,
} from './webhooks.ts';

export const webhooksRoutes = new Elysia({
  prefix: '/v1/webhooks',
  detail: { tags: ['Webhooks'] },
})
  .use(access)
  .get('', ({ ctx }) => listWebhooks(ctx), {
    forOrganization: { permission: 'integration:manage' },
    response: { 200: Type.Array(Webhook) },
    detail: {
      operationId: 'listWebhooks',
      summary: 'List the webhooks of the organization',
      description: 'Ten at most, and never their secrets.',
    },
  })
  .post('', async ({ ctx, body, status }) => status(201, await createWebhook(ctx, body)), {
    forOrganization: {
      permission: 'integration:manage',
      errors: ['conflict', 'secret_storage_unavailable'],
    },
    body: CreateWebhookBody,
    response: { 201: CreatedWebhook },
    detail: {
      operationId: 'createWebhook',
      summary: 'Register an address for events; its secret is shown this once',
      description: 'Deliveries are signed as Standard Webhooks and tried again for a day.',
    },
  })
  .patch('/:webhookId', ({ ctx, params, body }) => changeWebhook(ctx, { ...params, ...body }), {
    forOrganization: { permission: 'integration:manage', owns: { webhookId: webhookExists } },
    body: ChangeWebhookBody,
    response: { 200: Webhook },
    detail: {
      operationId: 'changeWebhook',
      summary: 'Change the address or events of a webhook, or switch it off and on',
      description:
        'While it is switched off nothing is sent; what happens is kept for 30 days as failed deliveries, which POST /v1/webhooks/{id}/resend sends later.',
    },
  })
  .post(
    '/:webhookId/rotate',
    ({ ctx, params, body }) => rotateWebhookSecret(ctx, { ...params, ...body }),
    {
      forOrganization: {
        permission: 'integration:manage',
        owns: { webhookId: webhookExists },
        errors: ['secret_storage_unavailable'],
      },
      body: RotateBody,
      response: { 200: CreatedWebhook },
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
      forOrganization: {
        permission: 'integration:manage',
        owns: { webhookId: webhookExists },
        errors: ['conflict'],
      },
      body: TestBody,
      response: { 202: Tested },
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
      forOrganization: {
        permission: 'integration:manage',
        owns: { webhookId: webhookExists },
        errors: ['conflict'],
      },
      body: ResendBody,
      response: { 202: Resent },
      detail: {
        operationId: 'resendWebhookDeliveries',
        summary: 'Send the deliveries of a time again',
        description:
          'Sends finished deliveries of at most 30 days again, oldest first, under their own ids, in the background. 1,000 at a time: `nextFrom` says where to go on.',
      },
    },
  )
  .delete(
    '/:webhookId',
    async ({ ctx, params, status }) => status(204, await deleteWebhook(ctx, params)),
    {
      forOrganization: { permission: 'integration:manage', owns: { webhookId: webhookExists } },
      response: { 204: Type.Void() },
      detail: {
        operationId: 'deleteWebhook',
        summary: 'Remove a webhook',
        description: 'Nothing is delivered to it any more.',
      },
    },
  )
  .get(
    '/:webhookId/deliveries',
    ({ ctx, params, query }) => listDeliveries(ctx, { ...params, ...query }),
    {
      forOrganization: { permission: 'integration:manage', owns: { webhookId: webhookExists } },
      query: DeliveriesQuery,
      response: { 200: Deliveries },
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
        permission: 'integration:manage',
        owns: { webhookId: webhookExists, deliveryId: deliveryExists },
        errors: ['conflict'],
      },
      response: { 202: AcceptedDelivery },
      detail: {
        operationId: 'redeliverWebhook',
        summary: 'Deliver again',
        description: 'The same body and id, signed anew.',
      },
    },
  );
