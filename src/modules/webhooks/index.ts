export { announce, deliverSoon } from './announce.ts';
export { attemptWebhookDelivery, giveUpWebhookDelivery } from './attempt.ts';
export { deliveryExists, webhookExists } from './queries.ts';
export { ensureMissingDeliveryRuns, reconcileWebhooks } from './reconcile.ts';
export { webhookSecretScope } from './secret.ts';
