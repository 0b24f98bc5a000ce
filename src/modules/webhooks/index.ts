export { announceEvents } from './announce-events.ts';
export { announce } from './announce.ts';
export { attemptWebhookDelivery, giveUpWebhookDelivery } from './attempt.ts';
export { webhooksChapter } from './chapter.ts';
export { deliveryExists } from './deliveries-queries.ts';
export type { PurchaseEventType } from './events.ts';
export type { PurchaseEventData, StoreNoticeData } from './examples.ts';
export { webhookExists } from './queries.ts';
export { deliverSoon } from './slots.ts';
