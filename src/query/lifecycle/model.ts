import { type Static, Type } from '@sinclair/typebox';
import { Nullable, OneOf } from '../../shared/schema.ts';
import { Conditions } from '../selection/conditions.ts';
import { BrokenDown, Dimension } from '../selection/dimension.ts';
import { EventFilters } from '../selection/filters.ts';
import { PageOfPeople } from '../selection/people-page.ts';
import { OfApp } from '../selection/selection.ts';

export const LIFECYCLE_STATES = ['new', 'returning', 'resurrected', 'dormant'] as const;
export type LifecycleState = (typeof LIFECYCLE_STATES)[number];

const Count = Type.Integer({ minimum: 0 });

export const LifecycleQuestion = Type.Object({
  ...OfApp.properties,
  /** The first interval only says who was active before the second. */
  boundariesUs: Type.Array(Type.Integer(), { minItems: 3 }),
  /** All client events when null. */
  names: Nullable(Type.Array(Type.String(), { minItems: 1 })),
  filters: EventFilters,
  where: Type.Optional(Conditions),
  breakdown: Type.Optional(Dimension),
});
export type LifecycleQuestion = Static<typeof LifecycleQuestion>;

const Lifecycle = Type.Object({
  people: Count,
  /** From the second interval on. */
  intervals: Type.Array(
    Type.Object({ new: Count, returning: Count, resurrected: Count, dormant: Count }),
  ),
});
export type Lifecycle = Static<typeof Lifecycle>;

export const LifecycleAnswer = Type.Composite([
  Type.Object({ dataThroughMs: Type.Number() }),
  Lifecycle,
  Type.Object({
    /** Null for all other values. */
    groups: Type.Optional(
      Type.Array(Type.Composite([Type.Object({ value: Nullable(Type.String()) }), Lifecycle])),
    ),
    brokenDown: Type.Optional(BrokenDown),
  }),
]);
export type LifecycleAnswer = Static<typeof LifecycleAnswer>;

export const LifecyclePeopleQuestion = Type.Composite([
  Type.Omit(LifecycleQuestion, ['breakdown']),
  PageOfPeople,
  Type.Object({
    interval: Type.Integer({ minimum: 1 }),
    state: OneOf(LIFECYCLE_STATES),
  }),
]);
export type LifecyclePeopleQuestion = Static<typeof LifecyclePeopleQuestion>;
