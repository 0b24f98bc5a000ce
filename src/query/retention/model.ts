import { type Static, Type } from '@sinclair/typebox';
import { Nullable, OneOf } from '../../shared/schema.ts';
import { BrokenDown, Dimension } from '../selection/dimension.ts';
import { PageOfPeople } from '../selection/people-page.ts';
import { Selected } from '../selection/selected.ts';
import { OfApp } from '../selection/selection.ts';

/** Cohorts and the periods after the last of them are bits of one BIGINT. */
export const MAX_RETENTION_BUCKETS = 62;
export const MAX_PERIODS = MAX_RETENTION_BUCKETS - 2;

export const COHORTS = ['first', 'recurring'] as const;
export const CRITERIA = ['on', 'on_or_after'] as const;
export const CLOCKS = ['calendar', 'hours'] as const;

const Count = Type.Integer({ minimum: 0 });

export const RetentionQuestion = Type.Object({
  ...OfApp.properties,
  boundariesUs: Type.Array(Type.Integer(), {
    minItems: 2,
    maxItems: MAX_RETENTION_BUCKETS + 1,
  }),
  cohorts: Type.Integer({ minimum: 1, maximum: MAX_RETENTION_BUCKETS }),
  cohort: OneOf(COHORTS),
  criterion: OneOf(CRITERIA),
  /** Counted from each person's start; null for intervals of the calendar. */
  periodUs: Nullable(Type.Integer({ minimum: 1 })),
  periods: Type.Integer({ minimum: 1, maximum: MAX_PERIODS }),
  start: Type.Optional(Selected),
  return: Type.Optional(Selected),
  breakdown: Type.Optional(Dimension),
});
export type RetentionQuestion = Static<typeof RetentionQuestion>;
export type RetentionRules = Omit<RetentionQuestion, 'breakdown' | 'periods'>;

const Cohorts = Type.Object({
  people: Count,
  cohorts: Type.Array(Type.Object({ size: Count, returned: Type.Array(Count) })),
});
export type Cohorts = Static<typeof Cohorts>;

export const RetentionAnswer = Type.Composite([
  Type.Object({ dataThroughMs: Type.Number() }),
  Cohorts,
  Type.Object({
    groups: Type.Optional(
      Type.Array(Type.Composite([Type.Object({ value: Nullable(Type.String()) }), Cohorts])),
    ),
    brokenDown: Type.Optional(BrokenDown),
  }),
]);
export type RetentionAnswer = Static<typeof RetentionAnswer>;

export const RetentionPeopleQuestion = Type.Composite([
  Type.Omit(RetentionQuestion, ['breakdown', 'periods']),
  PageOfPeople,
  Type.Object({
    cohortIndex: Type.Integer({ minimum: 0 }),
    period: Type.Integer({ minimum: 0 }),
  }),
]);
export type RetentionPeopleQuestion = Static<typeof RetentionPeopleQuestion>;
