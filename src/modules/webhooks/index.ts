import type { Chapter } from '../../chapter.ts';
import { deleteDeliveriesOfApp, DELIVERIES_OF_PERSON } from './deliveries-queries.ts';
import { ensureMissingDeliveryRuns, reconcileWebhooks } from './slots.ts';
import { webhookSecretScope } from './webhooks.ts';

export { announceEvents } from './announce-events.ts';
export { announce } from './announce-events.ts';
export { attemptWebhookDelivery, giveUpWebhookDelivery } from './attempt.ts';
export { deliveryExists } from './deliveries-queries.ts';
export type { PurchaseEventType } from './events.ts';
export type { PurchaseEventData, StoreNoticeData } from './examples.ts';
export { webhookExists } from './queries.ts';
export { deliverSoon } from './slots.ts';

export const webhooksChapter: Chapter = {
  name: 'webhooks',

  tables: ['outgoing_calls', 'webhook_attempts', 'webhook_deliveries', 'webhooks'],
  cleanup: { name: 'webhooks', run: ({ deps }, app) => deleteDeliveriesOfApp(deps.sql, app) },
  people: [DELIVERIES_OF_PERSON],
  sealed: [
    {
      table: 'webhooks',
      column: 'sealed_previous_secret',
      purpose: webhookSecretScope('').purpose,
    },
    { table: 'webhooks', column: 'sealed_secret', purpose: webhookSecretScope('').purpose },
  ],
  ensureMissingRuns: ensureMissingDeliveryRuns,
  reconcile: reconcileWebhooks,
};
