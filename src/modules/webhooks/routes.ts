import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import { listDeliveries, redeliver } from './deliveries.ts';
import { deliveryExists, webhookExists } from './index.ts';
import {
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
    detail: { summary: 'List the webhooks of the organization' },
  })
  .post('', async ({ ctx, body, status }) => status(201, await createWebhook(ctx, body)), {
    forOrganization: {
      permission: 'integration:manage',
      errors: ['conflict', 'secret_storage_unavailable'],
    },
    body: CreateWebhookBody,
    response: { 201: CreatedWebhook },
    detail: { summary: 'Register an address for events; its secret is shown this once' },
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
      detail: { summary: 'Remove a webhook' },
    },
  )
  .get(
    '/:webhookId/deliveries',
    ({ ctx, params, query }) => listDeliveries(ctx, { ...params, ...query }),
    {
      forOrganization: { permission: 'integration:manage', owns: { webhookId: webhookExists } },
      query: DeliveriesQuery,
      response: { 200: Deliveries },
      detail: { summary: 'What was delivered, newest first, with every attempt' },
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
      response: { 202: Type.Object({ accepted: Type.Literal(true) }) },
      detail: { summary: 'Deliver again' },
    },
  );
