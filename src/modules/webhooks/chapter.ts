import type { Chapter } from '../../chapter.ts';
import { ensureMissingDeliveryRuns, reconcileWebhooks } from './reconcile.ts';
import { webhookSecretScope } from './webhooks.ts';

export const webhooksChapter: Chapter = {
  name: 'webhooks',

  tables: ['webhook_attempts', 'webhook_deliveries', 'webhooks'],
  sealed: [{ table: 'webhooks', column: 'sealed_secret', purpose: webhookSecretScope('').purpose }],
  ensureMissingRuns: ensureMissingDeliveryRuns,
  reconcile: reconcileWebhooks,
};
