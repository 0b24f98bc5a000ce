import { type Static, Type } from '@sinclair/typebox';
import { Nullable } from '../../shared/schema.ts';
import { Trait } from '../selection/dimension.ts';
import { OfApp } from '../selection/selection.ts';

export const MAX_COHORT_BUCKETS = 62;
const MAX_ASKED_PEOPLE = 1_000_000;

export const BEFORE_ALL = -1;
export const NOT_SEEN = -2;

export const CohortsQuestion = Type.Object({
  ...OfApp.properties,
  /** Where intervals begin, ascending, to the end of the present one. */
  boundariesUs: Type.Array(Type.Integer(), { minItems: 2, maxItems: MAX_COHORT_BUCKETS + 1 }),
  /** The first of all intervals are cohorts. */
  cohorts: Type.Integer({ minimum: 1, maximum: MAX_COHORT_BUCKETS }),
  /** People whose intervals and values are wanted. */
  people: Type.Array(Type.String(), { maxItems: MAX_ASKED_PEOPLE }),
  by: Nullable(Trait),
});
export type CohortsQuestion = Static<typeof CohortsQuestion>;

const Count = Type.Integer({ minimum: 0 });

export const CohortsAnswer = Type.Object({
  dataThroughMs: Type.Number(),
  /** Values of most people, then null for all others. */
  values: Type.Array(Nullable(Type.String())),
  /** People by value and interval of their first event. */
  sizes: Type.Array(Type.Array(Count)),
  /** Per requested person, in order: `BEFORE_ALL`, `NOT_SEEN` or the interval. */
  intervals: Type.Array(Type.Integer({ minimum: NOT_SEEN })),
  /** The place of the value; `NOT_SEEN` without an event. */
  places: Type.Array(Type.Integer({ minimum: NOT_SEEN })),
});
export type CohortsAnswer = Static<typeof CohortsAnswer>;
