import { type Static, Type } from '@sinclair/typebox';
import { LIFECYCLE_STATES } from '../../../query/lifecycle/model.ts';
import { DateTime, Named, OneOf } from '../../../shared/schema.ts';
import { FilterParameters } from '../../events/index.ts';
import { BreakdownBy } from '../resolve/breakdown.model.ts';
import { NameParameter, PageParameters, WindowParameters } from '../resolve/parameters.model.ts';
import { Selection } from '../resolve/selection.model.ts';
import { Window } from '../resolve/window.model.ts';
import { Interval } from '../series/question.ts';

export const LifecycleQuestion = Named(
  'LifecycleQuestion',
  {
    kind: Type.Literal('lifecycle'),
    selection: Type.Optional(Selection),
    breakdown: Type.Optional(BreakdownBy),
    interval: Interval,
    ...Window,
  },
  {
    additionalProperties: false,
    description: 'New is then who did this for the first time.',
    examples: [{ kind: 'lifecycle', selection: { events: ['searched'] }, interval: 'week' }],
  },
);
export type LifecycleQuestion = Static<typeof LifecycleQuestion>;

export const LifecycleQuery = Type.Composite([
  WindowParameters,
  FilterParameters,
  Type.Object({
    interval: Interval,
    name: Type.Optional(NameParameter('Only events of this name; any of clients when left out.')),
  }),
]);
export type LifecycleQuery = Static<typeof LifecycleQuery>;

export const LifecyclePeopleQuery = Type.Composite([
  LifecycleQuery,
  PageParameters,
  Type.Object({
    point: { ...DateTime, description: 'The `from` of a point.' },
    state: OneOf(LIFECYCLE_STATES),
  }),
]);
export type LifecyclePeopleQuery = Static<typeof LifecyclePeopleQuery>;
