import type { Chapter } from '../../chapter.ts';
import { eraseDeliveries, selectPersonDeliveries } from './deliveries-queries.ts';
import { ensureMissingDeliveryRuns, reconcileWebhooks } from './reconcile.ts';
import { webhookSecretScope } from './webhooks.ts';

export const webhooksChapter: Chapter = {
  name: 'webhooks',

  tables: ['webhook_attempts', 'webhook_deliveries', 'webhooks'],
  erasure: [
    {
      name: 'webhook deliveries',
      run: eraseDeliveries,
      records: [{ kind: 'webhook_delivery', read: selectPersonDeliveries }],
    },
  ],
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
