import { type Static, Type } from '@sinclair/typebox';
import { Nullable, OneOf } from '../../shared/schema.ts';
import { Conditions } from '../selection/conditions.ts';
import { EventFilters } from '../selection/filters.ts';
import { PageOfPeople } from '../selection/people-page.ts';
import { OfApp } from '../selection/selection.ts';

export const LIFECYCLE_STATES = ['new', 'returning', 'resurrected', 'dormant'] as const;
export type LifecycleState = (typeof LIFECYCLE_STATES)[number];

const Count = Type.Integer({ minimum: 0 });

export const LifecycleQuestion = Type.Object({
  ...OfApp.properties,
  /** Where intervals begin, ascending; the first one only says who was active before the second. */
  boundariesUs: Type.Array(Type.Integer(), { minItems: 3 }),
  /** All client events when null. */
  names: Nullable(Type.Array(Type.String(), { minItems: 1 })),
  filters: EventFilters,
  where: Type.Optional(Conditions),
});
export type LifecycleQuestion = Static<typeof LifecycleQuestion>;

export const LifecycleAnswer = Type.Object({
  dataThroughMs: Type.Number(),
  /** Distinct people of all intervals, the first one included. */
  people: Count,
  /** From the second interval on. */
  intervals: Type.Array(
    Type.Object({ new: Count, returning: Count, resurrected: Count, dormant: Count }),
  ),
});
export type LifecycleAnswer = Static<typeof LifecycleAnswer>;

export const LifecyclePeopleQuestion = Type.Composite([
  LifecycleQuestion,
  PageOfPeople,
  Type.Object({
    /** The place of the interval, from 1. */
    interval: Type.Integer({ minimum: 1 }),
    state: OneOf(LIFECYCLE_STATES),
  }),
]);
export type LifecyclePeopleQuestion = Static<typeof LifecyclePeopleQuestion>;
