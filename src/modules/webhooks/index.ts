export { announce, deliverSoon } from './announce.ts';
export { attemptWebhookDelivery, giveUpWebhookDelivery } from './attempt.ts';
export { webhooksChapter } from './chapter.ts';
export { deliveryExists, webhookExists } from './queries.ts';
