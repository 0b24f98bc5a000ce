import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf, QueryInteger } from '../../shared/schema.ts';
import { Text } from '../../shared/text.ts';
import { MAX_EVENTS_AN_HOUR, SUBSCRIBABLE_EVENTS, WEBHOOK_EVENTS } from './events.ts';

export const MAX_WEBHOOKS = 10;
const MAX_ENTITLEMENTS = 50;
const MAX_EVENT_NAMES = 20;
const MAX_ONE_IN = 10_000;
export const DELIVERIES_PAGE = 50;
export const KEEP_DELIVERIES_DAYS = 30;

const Subscribable = OneOf(SUBSCRIBABLE_EVENTS);
const EventType = OneOf(WEBHOOK_EVENTS);

export const Webhook = Named('Webhook', {
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(Subscribable),
  entitlements: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Where only purchase events about some named entitlements are sent.',
    }),
  ),
  eventNames: Type.Optional(
    Type.Array(Type.String(), { description: 'Of the events of apps that are told' }),
  ),
  eventOneIn: Type.Optional(
    Type.Integer({ minimum: 2, description: 'Where only one in so many of these is told' }),
  ),
  eventsLeftOutAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: `When events were last left out, above ${MAX_EVENTS_AN_HOUR} an hour`,
    }),
  ),
  createdAt: DateTime,
  disabledAt: Nullable(DateTime),
  previousSecretUntil: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Until then deliveries carry the signature of the replaced secret too',
    }),
  ),
});
export type Webhook = Static<typeof Webhook>;

const Url = Text(8, 2_048, { description: 'https, on the public internet' });
const Events = Type.Array(Subscribable, {
  minItems: 1,
  maxItems: SUBSCRIBABLE_EVENTS.length,
  uniqueItems: true,
});

const Entitlements = Type.Optional(
  Type.Array(Text(1, 64), {
    maxItems: MAX_ENTITLEMENTS,
    uniqueItems: true,
    description:
      'Names of entitlements: events of purchases are sent only where their product, or the one before it, stands under one of them. Empty for all; other events are sent as before.',
  }),
);

const EventNames = Type.Optional(
  Type.Array(Text(1, 64), {
    maxItems: MAX_EVENT_NAMES,
    uniqueItems: true,
    description: `Names of events of apps that \`event.received\` tells of, which needs one; ${MAX_EVENTS_AN_HOUR} an hour at most.`,
  }),
);
const EventOneIn = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MAX_ONE_IN,
    description: 'One in so many of these events is told, chosen by its id; 1 when left out',
  }),
);

export const CreateWebhookBody = Named(
  'NewWebhook',
  {
    url: Url,
    events: Events,
    entitlements: Entitlements,
    eventNames: EventNames,
    eventOneIn: EventOneIn,
  },
  { examples: [{ url: 'https://example.com/hooks', events: ['entitlement.changed'] }] },
);
export type CreateWebhookInput = Static<typeof CreateWebhookBody>;

export const CreatedWebhook = Named('CreatedWebhook', {
  webhook: Webhook,
  secret: Type.String({
    description: 'Signs every delivery (Standard Webhooks); shown this once.',
  }),
});
export type CreatedWebhook = Static<typeof CreatedWebhook>;

export const ChangeWebhookBody = Named(
  'WebhookChange',
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    entitlements: Entitlements,
    eventNames: EventNames,
    eventOneIn: EventOneIn,
    enabled: Type.Optional(
      Type.Boolean({ description: 'Switched off, events are kept as failed deliveries' }),
    ),
  },
  { examples: [{ enabled: false }], minProperties: 1 },
);
export type ChangeWebhookInput = Static<typeof ChangeWebhookBody>;

const DAY_SECONDS = 86_400;
const OVERLAP_MAX_SECONDS = 7 * DAY_SECONDS;
export const OVERLAP_SECONDS = DAY_SECONDS;

export const RotateBody = Type.Optional(
  Named(
    'WebhookRotation',
    {
      overlapSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: OVERLAP_MAX_SECONDS,
          description: `How long the replaced secret signs too; ${OVERLAP_SECONDS} when left out`,
        }),
      ),
    },
    { examples: [{ overlapSeconds: 3_600 }] },
  ),
);

export const TestBody = Type.Optional(
  Named(
    'WebhookTest',
    { event: Type.Optional(EventType) },
    { examples: [{ event: 'subscription.started.v1' }] },
  ),
);
export const Tested = Named('WebhookTested', { deliveryId: Type.String() });

/** Per request. */
export const RESEND_MAX = 1_000;

export const ResendBody = Named(
  'WebhookResend',
  {
    from: Type.String({ format: 'date-time', description: 'Deliveries made at or after' }),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Before; now if left out' })),
    status: Type.Optional(
      OneOf(['failed', 'delivered', 'any'], { description: '`failed` when left out' }),
    ),
  },
  { examples: [{ from: '2026-11-21T09:00:00.000Z', status: 'failed' }] },
);
export type ResendInput = Static<typeof ResendBody>;

export const Resent = Named('WebhookResent', {
  accepted: Type.Integer({
    minimum: 0,
    description: `Deliveries on their way, ${RESEND_MAX} at most`,
  }),
  nextFrom: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Where to go on: there are more of them in the range',
    }),
  ),
});
export type Resent = Static<typeof Resent>;

const Attempt = Named('WebhookAttempt', {
  attemptedAt: DateTime,
  responseStatus: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  durationMs: Type.Integer(),
});

export const Delivery = Named('WebhookDelivery', {
  id: Type.String(),
  webhookId: Type.String(),
  event: EventType,
  eventId: Nullable(Type.String({ description: 'The event’s own id, where its type has one' })),
  status: OneOf(['pending', 'delivered', 'failed']),
  createdAt: DateTime,
  finishedAt: Nullable(DateTime),
  attempts: Type.Array(Attempt),
});
export type Delivery = Static<typeof Delivery>;

export const AcceptedDelivery = Named('AcceptedWebhookDelivery', { accepted: Type.Literal(true) });

export const DeliveriesQuery = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 64 })),
  limit: Type.Optional(QueryInteger(1, 200, { whenLeftOut: DELIVERIES_PAGE })),
});

export const Deliveries = Named('WebhookDeliveryPage', {
  deliveries: Type.Array(Delivery),
  nextCursor: Nullable(Type.String()),
});
export type Deliveries = Static<typeof Deliveries>;
