import { type Static, Type } from '@sinclair/typebox';
import { ENVIRONMENTS } from '../../shared/environment.ts';
import { CONTEXT_FIELDS, eachOf } from '../../shared/event-fields.ts';
import { Nullable, OneOf } from '../../shared/schema.ts';
import { EventFilters } from '../selection/filters.ts';
import { OfApp } from '../selection/selection.ts';

const UntilNow = {
  ...OfApp.properties,
  /** Nothing that occurred from this time on is known yet. */
  beforeUs: Type.Integer(),
};

export const RecentQuestion = Type.Object({
  ...UntilNow,
  name: Type.Optional(Type.String()),
  personId: Type.Optional(Type.String()),
  filters: EventFilters,
  limit: Type.Integer({ minimum: 1, maximum: 1_000 }),
});
export type RecentQuestion = Static<typeof RecentQuestion>;

const Text = Nullable(Type.String());

/** Fields named after those of `EventRow` are read from its columns. */
export const StoredEvent = Type.Object({
  name: Type.String(),
  occurredAtUs: Type.Integer(),
  receivedAtUs: Type.Integer(),
  person: Type.String(),
  anonymousId: Type.String(),
  userId: Text,
  sessionId: Text,
  clientTs: Text,
  timeFlag: Text,
  ...eachOf(CONTEXT_FIELDS, () => Text),
  props: Text,
  eventId: Text,
  environment: OneOf(ENVIRONMENTS),
});
export type StoredEvent = Static<typeof StoredEvent>;

export const RecentAnswer = Type.Object({ events: Type.Array(StoredEvent) });
export type RecentAnswer = Static<typeof RecentAnswer>;

export const PersonCursor = Type.Object({
  arrival: Type.Integer(),
  batchIndex: Type.Integer(),
});
export type PersonCursor = Static<typeof PersonCursor>;

export const PersonQuestion = Type.Object({
  ...UntilNow,
  personIds: Type.Array(Type.String(), { minItems: 1 }),
  after: Nullable(PersonCursor),
  limit: Type.Integer({ minimum: 1, maximum: 1_000 }),
});
export type PersonQuestion = Static<typeof PersonQuestion>;

export const PersonAnswer = Type.Object({
  events: Type.Array(Type.Composite([StoredEvent, PersonCursor])),
});
export type PersonAnswer = Static<typeof PersonAnswer>;

export const LAST_KNOWN = ['platform', 'appVersion', 'country'] as const;

export const SearchQuestion = Type.Object({
  ...UntilNow,
  prefix: Type.Optional(Type.String({ minLength: 1 })),
  personIds: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  limit: Type.Integer({ minimum: 1, maximum: 1_000 }),
});
export type SearchQuestion = Static<typeof SearchQuestion>;

export const SearchAnswer = Type.Object({
  people: Type.Array(
    Type.Object({
      personId: Type.String(),
      anonymousIds: Type.Array(Type.String()),
      events: Type.Integer({ minimum: 0 }),
      firstAtUs: Type.Integer(),
      lastAtUs: Type.Integer(),
      ...eachOf(LAST_KNOWN, () => Text),
    }),
  ),
  hasMore: Type.Boolean(),
});
export type SearchAnswer = Static<typeof SearchAnswer>;
