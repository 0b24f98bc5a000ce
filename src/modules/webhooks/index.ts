export { announce } from './announce.ts';
export { attemptDelivery, giveUpDelivery } from './attempt.ts';
export { deliveryExists, webhookExists } from './queries.ts';
export { reconcileWebhooks } from './reconcile.ts';
export { webhookSecretScope } from './secret.ts';
