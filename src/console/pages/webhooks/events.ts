import type { Operations } from '../../../../clients/api/src/index.ts';
import { webhooks as t } from '../../texts/webhooks.ts';

export type Webhook = Operations['listWebhooks']['output'][number];
export type EventType = Webhook['events'][number];

export const TEST = 'webhook.test';

const isEvent = (name: string): name is EventType => name !== TEST && name in t.names;
const TYPES = Object.keys(t.names).filter(isEvent);

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
