import { type Static, Type } from '@sinclair/typebox';
import { IngestionHour, RejectedBatches } from '../../event-store/append.ts';
import { ENVIRONMENTS, EnvironmentParameter } from '../../shared/environment.ts';
import { CONTEXT_FIELDS, eachOf, FILTER_FIELDS } from '../../shared/event-fields.ts';
import { DateTime, Named, Nullable, OneOf, QueryInteger } from '../../shared/schema.ts';
import { onePattern, Text } from '../../shared/text.ts';
import { EventName, MAX_BATCH_EVENTS, PLATFORMS } from './model.ts';
import { SentName } from './names/model.ts';

const Count = Type.Integer({ minimum: 0 });

export const FilterParameters = Type.Object({
  ...eachOf(FILTER_FIELDS, () => Type.Optional(Text(1, 40))),
  property: Type.Optional(
    Type.String({
      pattern: `^${onePattern('=')}{1,64}=${onePattern()}{0,200}$`,
      description:
        'NAME=VALUE of a property: a string by its characters, a number by its shortest decimal form, a boolean as true or false.',
    }),
  ),
});
export type FilterParameters = Static<typeof FilterParameters>;

export const DEFAULT_SUMMARY_DAYS = 30;
export const DEFAULT_INGESTION_DAYS = 7;
export const MAX_DAYS = 400;
export const MAX_SUMMARY_ENTRIES = 500;
export const MAX_RECENT_EVENTS = MAX_BATCH_EVENTS;

const days = (standard: number) =>
  Type.Optional(
    QueryInteger(1, MAX_DAYS, {
      description: 'Counted back from now, 24 hours each.',
      whenLeftOut: standard,
    }),
  );

export const SummaryQuery = Type.Object({
  days: days(DEFAULT_SUMMARY_DAYS),
  environment: EnvironmentParameter,
});
export type SummaryQuery = Static<typeof SummaryQuery>;

export const EventSummary = Named('EventSummary', {
  window: Type.Object(
    { from: DateTime, to: DateTime },
    { description: '`days` times 24 hours back from now, in every zone.' },
  ),
  people: Count,
  events: Count,
  firstEventAt: Nullable(DateTime),
  lastEventAt: Nullable(DateTime),
  names: Type.Array(
    Type.Object({ name: Type.String(), events: Count, people: Count, standard: Type.Boolean() }),
    { description: `Most events first; at most ${MAX_SUMMARY_ENTRIES}.` },
  ),
  platforms: Type.Array(Type.Object({ platform: OneOf(PLATFORMS), people: Count })),
  versions: Type.Array(
    Type.Object({
      appVersion: Type.String({ description: '`unknown` where the client did not say.' }),
      people: Count,
    }),
  ),
});
export type EventSummary = Static<typeof EventSummary>;

export const RecentQuery = Type.Composite([
  FilterParameters,
  Type.Object({
    name: Type.Optional(EventName),
    personId: Type.Optional(
      Text(1, 128, { description: 'A user id, or an anonymous id that belongs to no user.' }),
    ),
    environment: EnvironmentParameter,
    limit: Type.Optional(QueryInteger(1, MAX_RECENT_EVENTS, { whenLeftOut: MAX_RECENT_EVENTS })),
  }),
]);
export type RecentQuery = Static<typeof RecentQuery>;

const StoredText = Nullable(Type.String());

export const RecentEvent = Named('RecentEvent', {
  name: Type.String(),
  occurredAt: DateTime,
  receivedAt: DateTime,
  ts: { ...StoredText, description: 'As the client sent it.' },
  timeFlag: {
    ...StoredText,
    description: 'Why occurredAt is not ts: shifted, no_ts or too_old; null where it is.',
  },
  personId: Type.String(),
  anonymousId: Type.String(),
  userId: StoredText,
  sessionId: StoredText,
  ...eachOf(CONTEXT_FIELDS, () => StoredText),
  props: Nullable(Type.Record(Type.String(), Type.Unknown())),
  id: { ...StoredText, description: "The client's id of the event." },
  environment: Type.Optional(
    OneOf(ENVIRONMENTS, { description: 'Of the key that it was sent with.' }),
  ),
});
export type RecentEvent = Static<typeof RecentEvent>;

export const IngestionQuery = Type.Object({
  days: days(DEFAULT_INGESTION_DAYS),
  environment: EnvironmentParameter,
});
export type IngestionQuery = Static<typeof IngestionQuery>;

export const IgnoredId = Type.Object({
  field: OneOf(['userId', 'anonymousId']),
  events: Count,
  lastAt: DateTime,
  lastExample: Nullable(Type.String()),
});

export const Ingestion = Named('Ingestion', {
  hours: Type.Array(IngestionHour, {
    description: 'Hours of receipt (UTC) in which anything came, oldest first.',
  }),
  rejected: Type.Array(RejectedBatches, { description: 'By reason, the last one first.' }),
  ignoredIds: Type.Array(IgnoredId, {
    description: 'Values that name nobody, such as "undefined": their events are stored.',
  }),
  names: Type.Array(SentName, {
    description: 'Names that clients of other products sent, those first whose name was taken.',
  }),
});
export type Ingestion = Static<typeof Ingestion>;
