import type { Chapter } from '../../chapter.ts';
import { deleteDeliveriesOfApp, DELIVERIES_OF_PERSON } from './deliveries-queries.ts';
import { ensureMissingDeliveryRuns, reconcileWebhooks } from './reconcile.ts';
import { webhookSecretScope } from './webhooks.ts';

export const webhooksChapter: Chapter = {
  name: 'webhooks',

  tables: ['webhook_attempts', 'webhook_deliveries', 'webhooks'],
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
