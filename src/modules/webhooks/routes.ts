import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { orgContext } from '../../http/state.ts';
import { createWebhook } from './create.ts';
import { deleteWebhook } from './delete.ts';
import { listWebhooks } from './list.ts';
import { listDeliveries } from './list-deliveries.ts';
import {
  CreatedWebhook,
  CreateWebhookBody,
  Deliveries,
  DeliveriesQuery,
  Webhook,
} from './model.ts';
import { redeliver } from './redeliver.ts';

export const webhooksRoutes = new Elysia({
  prefix: '/v1/webhooks',
  detail: { tags: ['Webhooks'] },
})
  .get('', ({ request }) => listWebhooks(orgContext(request)), {
    response: { 200: Type.Array(Webhook) },
    detail: { summary: 'List the webhooks of the organization' },
  })
  .post(
    '',
    async ({ request, body, status }) =>
      status(201, await createWebhook(orgContext(request), body)),
    {
      body: CreateWebhookBody,
      response: { 201: CreatedWebhook },
      detail: { summary: 'Register an address for events; its secret is shown this once' },
    },
  )
  .delete(
    '/:webhookId',
    async ({ request, params, set }) => {
      await deleteWebhook(orgContext(request), params);
      set.status = 204;
    },
    { response: { 204: Type.Void() }, detail: { summary: 'Remove a webhook' } },
  )
  .get(
    '/:webhookId/deliveries',
    ({ request, params, query }) => listDeliveries(orgContext(request), { ...params, ...query }),
    {
      query: DeliveriesQuery,
      response: { 200: Deliveries },
      detail: { summary: 'What was delivered, newest first, with every attempt' },
    },
  )
  .post(
    '/:webhookId/deliveries/:deliveryId/redeliver',
    async ({ request, params, status }) => {
      await redeliver(orgContext(request), params);
      return status(202, { accepted: true as const });
    },
    {
      response: { 202: Type.Object({ accepted: Type.Literal(true) }) },
      detail: { summary: 'Deliver again' },
    },
  );
