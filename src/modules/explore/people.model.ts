import { type Static, Type } from '@sinclair/typebox';
import { MAX_PERIODS, MAX_RETENTION_BUCKETS } from '../../query/retention/model.ts';
import { CALENDAR_INTERVALS } from '../../shared/calendar.ts';
import { DateTime, Nullable, OneOf, QueryInteger } from '../../shared/schema.ts';
import { FilterParameters } from '../events/index.ts';
import { NameParameter, WindowParameters } from './parameters.model.ts';
import { RetentionParameters } from './retention.model.ts';

export const DEFAULT_PAGE = 100;

export const PageParameters = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 1_024 })),
  limit: Type.Optional(QueryInteger(1, 1_000, { whenLeftOut: DEFAULT_PAGE })),
});
export type PageParameters = Static<typeof PageParameters>;

export const SeriesPeopleQuery = Type.Composite([
  WindowParameters,
  FilterParameters,
  PageParameters,
  Type.Object({
    interval: Type.Optional(OneOf(CALENDAR_INTERVALS, { whenLeftOut: 'day' })),
    name: Type.Optional(NameParameter('Only events of this name.')),
    point: { ...DateTime, description: 'The `from` of a point.' },
  }),
]);
export type SeriesPeopleQuery = Static<typeof SeriesPeopleQuery>;

export const RetentionPeopleQuery = Type.Composite([
  RetentionParameters,
  PageParameters,
  Type.Object({
    cohortIndex: QueryInteger(0, MAX_RETENTION_BUCKETS - 1, {
      description: 'The place of the cohort, from 0.',
    }),
    period: Type.Optional(
      QueryInteger(0, MAX_PERIODS, { description: '0, the default, is the cohort itself.' }),
    ),
  }),
]);
export type RetentionPeopleQuery = Static<typeof RetentionPeopleQuery>;

export const PeopleBehind = Type.Object(
  {
    people: Type.Array(Type.Object({ personId: Type.String() })),
    nextCursor: Nullable(Type.String()),
  },
  { title: 'PeopleBehind' },
);
export type PeopleBehind = Static<typeof PeopleBehind>;
