import { type Static, Type } from '@sinclair/typebox';
import { Nullable } from '../../shared/schema.ts';
import { Conditions } from '../selection/conditions.ts';
import { BrokenDown, Dimension } from '../selection/dimension.ts';
import { EventFilters } from '../selection/filters.ts';
import { PageOfPeople } from '../selection/people-page.ts';
import { Selected } from '../selection/selected.ts';
import { OfApp } from '../selection/selection.ts';

export const MAX_SERIES_NAMES = 6;

const Count = Type.Integer({ minimum: 0 });
/** Buckets from the first number up to, not including, the second. */
const Range = Type.Tuple([Type.Integer(), Type.Integer()]);

export const SeriesQuestion = Type.Object({
  ...OfApp.properties,
  boundariesUs: Type.Array(Type.Integer(), { minItems: 2 }),
  names: Nullable(Type.Array(Type.String(), { minItems: 1, maxItems: MAX_SERIES_NAMES })),
  breakdown: Nullable(Dimension),
  /** A series for each pair of values. */
  crossed: Type.Optional(Dimension),
  /** Values are the most frequent from this bucket on. */
  valuesFrom: Type.Integer({ minimum: 0 }),
  filters: EventFilters,
  where: Type.Optional(Conditions),
  ranges: Type.Array(Range),
  selections: Type.Optional(Type.Array(Selected, { minItems: 1, maxItems: MAX_SERIES_NAMES })),
});
export type SeriesQuestion = Static<typeof SeriesQuestion>;

const Counts = Type.Object({ events: Type.Array(Count), people: Type.Array(Count) });
export type SeriesCounts = Static<typeof Counts>;

export const SeriesAnswer = Type.Object({
  dataThroughMs: Type.Number(),
  /** People are distinct: series do not add up to it. */
  total: Counts,
  series: Type.Array(
    Type.Composite([
      Type.Object({
        /** Null for all other values. */
        value: Nullable(Type.String()),
        crossed: Type.Optional(Nullable(Type.String())),
      }),
      Counts,
    ]),
  ),
  brokenDown: Type.Optional(Type.Array(BrokenDown)),
});
export type SeriesAnswer = Static<typeof SeriesAnswer>;

export const SeriesPeopleQuestion = Type.Composite([
  Type.Omit(SeriesQuestion, ['breakdown', 'crossed', 'valuesFrom', 'ranges', 'selections']),
  PageOfPeople,
  Type.Object({ bucket: Type.Integer({ minimum: 0 }) }),
]);
export type SeriesPeopleQuestion = Static<typeof SeriesPeopleQuestion>;
