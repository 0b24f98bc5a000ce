import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import { listDeliveries, redeliver } from './deliveries.ts';
import { deliveryExists, webhookExists } from './index.ts';
import {
  AcceptedDelivery,
  CreatedWebhook,
  CreateWebhookBody,
  Deliveries,
  DeliveriesQuery,
  Webhook,
} from './model.ts';
import { createWebhook, deleteWebhook, listWebhooks } from './webhooks.ts';

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
  .delete(
    '/:webhookId',
    async ({ ctx, params, set }) => {
      await deleteWebhook(ctx, params);
      set.status = 204;
    },
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
      },
      response: { 202: AcceptedDelivery },
      detail: {
        operationId: 'redeliverWebhook',
        summary: 'Deliver again',
        description: 'The same body and id, signed anew.',
      },
    },
  );
