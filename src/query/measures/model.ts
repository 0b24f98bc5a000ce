import { type Static, Type } from '@sinclair/typebox';
import { Nullable, OneOf } from '../../shared/schema.ts';
import { onePattern } from '../../shared/text.ts';
import { Conditions } from '../selection/conditions.ts';
import { BrokenDown, Dimension } from '../selection/dimension.ts';
import { EventFilters } from '../selection/filters.ts';
import { OfApp } from '../selection/selection.ts';

export const STATISTICS = ['sum', 'mean', 'median', 'p90', 'minimum', 'maximum'] as const;

export const COUNTED = [
  'people',
  'events',
  'eventsPerPerson',
  'sessions',
  'sessionsPerPerson',
  'sessionLength',
] as const;

const STRICT = { additionalProperties: false };

export const Measure = Type.Union(
  [
    Type.Object({ of: OneOf(COUNTED) }, STRICT),
    Type.Object(
      {
        of: OneOf(['property']),
        property: Type.String({ pattern: `^${onePattern()}{1,64}$` }),
        statistic: OneOf(STATISTICS),
        per: OneOf(['event', 'person'], {
          description: "person: of each person's sum in the interval.",
        }),
      },
      STRICT,
    ),
  ],
  { rule: 'must be a measure: what it is of, and of a property its name, statistic and per' },
);
export type Measure = Static<typeof Measure>;

export const isOfSessions = ({ of }: Measure): boolean =>
  of === 'sessions' || of === 'sessionsPerPerson' || of === 'sessionLength';

export const isOfEvents = (measure: Measure): boolean =>
  measure.of === 'property' ? measure.per === 'event' : measure.of === 'events';

export const MAX_EXACT_VALUES = 10_000_000;
export const RELATIVE_ERROR = 0.001;

const Count = Type.Integer({ minimum: 0 });

export const MeasuresQuestion = Type.Object({
  ...OfApp.properties,
  boundariesUs: Type.Array(Type.Integer(), { minItems: 2 }),
  names: Nullable(Type.Array(Type.String(), { minItems: 1 })),
  filters: EventFilters,
  where: Type.Optional(Conditions),
  measure: Measure,
  breakdown: Type.Optional(Dimension),
  /** Values are the most frequent from this interval on. */
  valuesFrom: Type.Optional(Type.Integer({ minimum: 0 })),
  ranges: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])),
});
export type MeasuresQuestion = Static<typeof MeasuresQuestion>;

const Measured = Type.Object({
  value: Nullable(Type.Number()),
  people: Count,
  count: Count,
});
export type Measured = Static<typeof Measured>;

export const MeasuresAnswer = Type.Object({
  dataThroughMs: Type.Number(),
  measured: Type.Array(Measured),
  relativeError: Nullable(Type.Number()),
  /** By value, the rest last with the value null. */
  series: Type.Optional(
    Type.Array(Type.Object({ value: Nullable(Type.String()), measured: Type.Array(Measured) })),
  ),
  brokenDown: Type.Optional(BrokenDown),
});
export type MeasuresAnswer = Static<typeof MeasuresAnswer>;
