import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf, QueryInteger } from '../../shared/schema.ts';
import { Text } from '../../shared/text.ts';

export const MAX_WEBHOOKS = 10;
export const DELIVERIES_PAGE = 50;
/** Deliveries older than this are removed with their log. */
export const KEEP_DELIVERIES_DAYS = 30;

const WEBHOOK_EVENTS = [
  'app.created',
  'app.deleted',
  'entitlement.changed',
  'store.connection_changed',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];
const EventType = OneOf(WEBHOOK_EVENTS);

export const Webhook = Named(
  'Webhook',
  { id: Type.String(), url: Type.String(), events: Type.Array(EventType), createdAt: DateTime },
  {
    examples: [
      {
        id: 'whk_01kajw5g3me7t8q2w4r6y9b1cd',
        url: 'https://example.com/hooks',
        events: ['entitlement.changed'],
        createdAt: '2026-11-21T09:00:00.000Z',
      },
    ],
  },
);
export type Webhook = Static<typeof Webhook>;

export const CreateWebhookBody = Named(
  'NewWebhook',
  {
    url: Text(8, 2_048, { description: 'https, on the public internet' }),
    events: Type.Array(EventType, { minItems: 1, maxItems: 4, uniqueItems: true }),
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
