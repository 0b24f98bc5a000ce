import type { Operations } from '../../../../clients/api/src/index.ts';
import { webhooks as t } from '../../texts/webhooks.ts';

export type Webhook = Operations['listWebhooks']['output'][number];
export type EventType = Webhook['events'][number];

const KNOWN: Readonly<Record<EventType, true>> = {
  'app.created': true,
  'app.deleted': true,
  'store.connection_changed': true,
  'audit.recorded': true,
  'event.received': true,
  'entitlement.changed': true,
  'subscription.trial_started.v1': true,
  'subscription.trial_converted.v1': true,
  'subscription.started.v1': true,
  'subscription.renewed.v1': true,
  'subscription.product_changed.v1': true,
  'subscription.canceled.v1': true,
  'subscription.uncanceled.v1': true,
  'subscription.billing_issue.v1': true,
  'subscription.expired.v1': true,
  'purchase.completed.v1': true,
  'purchase.refunded.v1': true,
  'purchase.refund_reversed.v1': true,
  'purchase.unshared.v1': true,
  'consent.rescinded.v1': true,
  'external_purchase.token_received.v1': true,
};
const isKnown = (name: string): name is EventType => Object.hasOwn(KNOWN, name);
const TYPES = Object.keys(KNOWN).filter(isKnown);

export const eventsOf = (chosen: readonly string[]): EventType[] =>
  TYPES.filter((event) => chosen.includes(event));

export const EVENTS = TYPES.map((event) => [event, t.names[event]] as const);

export const toldOf = (events: readonly EventType[]): string => {
  if (events.length === TYPES.length) return t.everything;
  return events.map((event) => t.names[event]).join(', ');
};

const groupOf = (event: string) =>
  (['subscription', 'purchase'] as const).find((name) => event.startsWith(name)) ?? 'other';

export const GROUPS = (['subscription', 'purchase', 'other'] as const).map(
  (group) => [t.groups[group], EVENTS.filter(([event]) => groupOf(event) === group)] as const,
);
