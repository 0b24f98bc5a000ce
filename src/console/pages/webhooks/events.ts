import type { Operations } from '../../../../clients/api/src/index.ts';
import { texts } from '../../texts/index.ts';

const t = texts.webhooks;
export type Webhook = Operations['listWebhooks']['output'][number];
export type EventType = Webhook['events'][number];

const KNOWN: readonly EventType[] = [
  'app.created',
  'app.deleted',
  'store.connection_changed',
  'entitlement.changed',
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
];

export const eventsOf = (chosen: readonly string[]): EventType[] =>
  KNOWN.filter((event) => chosen.includes(event));

export const EVENTS = KNOWN.map((event) => [event, event] as const);

const groupOf = (event: string) =>
  (['subscription', 'purchase'] as const).find((name) => event.startsWith(name)) ?? 'other';

/** The types of events by what they are about. */
export const GROUPS = (['subscription', 'purchase', 'other'] as const).map(
  (group) => [t.groups[group], EVENTS.filter(([event]) => groupOf(event) === group)] as const,
);
