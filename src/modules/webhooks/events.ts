/** A change of the data is a new version. */
export const PURCHASE_EVENTS = [
  'subscription.trial_started.v1',
  'subscription.trial_converted.v1',
  'subscription.started.v1',
  'subscription.renewed.v1',
  'subscription.product_changed.v1',
  'subscription.canceled.v1',
  'subscription.uncanceled.v1',
  'subscription.billing_issue.v1',
  'subscription.expired.v1',
  'purchase.completed.v1',
  'purchase.refunded.v1',
  'purchase.refund_reversed.v1',
  'purchase.unshared.v1',
] as const;
export type PurchaseEventType = (typeof PURCHASE_EVENTS)[number];

export const NOTICE_EVENTS = [
  'consent.rescinded.v1',
  'external_purchase.token_received.v1',
] as const;

/** Events of apps, chosen by name. */
export const EVENT_RECEIVED = 'event.received' as const;
/** For each webhook; more are left out. */
export const MAX_EVENTS_AN_HOUR = 1_000;

export const SUBSCRIBABLE_EVENTS = [
  'app.created',
  'app.deleted',
  'entitlement.changed',
  'store.connection_changed',
  'audit.recorded',
  EVENT_RECEIVED,
  ...PURCHASE_EVENTS,
  ...NOTICE_EVENTS,
] as const;

/** `webhook.test` is sent on request only. */
export const WEBHOOK_EVENTS = [...SUBSCRIBABLE_EVENTS, 'webhook.test'] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];
