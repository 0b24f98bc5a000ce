import { type Static, Type } from '@sinclair/typebox';
import { MAX_FUNNEL_STEPS } from '../../../query/funnel/model.ts';
import { Conditions } from '../../../query/selection/conditions.ts';
import { DIMENSION_NAMES, DIMENSION_PATTERN } from '../../../query/selection/dimension.ts';
import { Named, OneOf, QueryBoolean, QueryInteger } from '../../../shared/schema.ts';
import { FilterParameters } from '../../events/index.ts';
import { MAX_CONVERSION_HOURS } from '../../funnels/index.ts';
import { BreakdownBy } from '../resolve/breakdown.model.ts';
import { PageParameters } from '../resolve/parameters.model.ts';
import { SegmentsApart } from '../resolve/segments.model.ts';
import { Selection } from '../resolve/selection.model.ts';
import { Window, windowParameters } from '../resolve/window.model.ts';

export const DEFAULT_WINDOW_DAYS = 30;

const INTERVALS = ['day', 'week'] as const;
export type Interval = (typeof INTERVALS)[number];

const TrendInterval = Type.Optional(OneOf(INTERVALS, { description: 'Adds the trend.' }));
const NewPeople = Type.Optional(
  OneOf(['all', 'new'], {
    description:
      'new: only people without an event before the window, so that who has been there for long does not count as lost at a step that is done once.',
    whenLeftOut: 'all',
  }),
);

const ENTRY = [{ events: ['paywall_viewed'] }, { events: ['purchase_completed'] }];

export const FunnelQuestion = Named(
  'FunnelQuestion',
  {
    kind: Type.Literal('funnel'),
    steps: Type.Array(Selection, { minItems: 2, maxItems: MAX_FUNNEL_STEPS }),
    where: Type.Optional(Conditions),
    breakdown: Type.Optional(
      Type.Union([Type.Literal('arm'), ...BreakdownBy.anyOf], {
        rule: 'must be a dimension, a property in ranges, or arm',
        description:
          'The value on the step-1 event; arm: of the experiment that runs, or ran last.',
      }),
    ),
    segments: Type.Optional(SegmentsApart),
    windowHours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_CONVERSION_HOURS,
        description: "Time to convert, from step 1. The app's setting when left out.",
      }),
    ),
    exclusions: Type.Optional(
      Type.Array(
        Type.Object(
          {
            selection: Selection,
            after: Type.Integer({ minimum: 1, description: 'The step before, from 1.' }),
            before: Type.Integer({ minimum: 2, description: 'The step after, from 1.' }),
          },
          { additionalProperties: false },
        ),
        {
          minItems: 1,
          maxItems: 4,
          description:
            'What must not happen between two steps; it ends the path, and what was reached stays.',
        },
      ),
    ),
    order: Type.Optional(
      OneOf(['in_order', 'strict', 'any'], {
        description:
          'strict: nothing else that clients send happens between two steps. any: step k is reached by whoever did k of the steps, in whatever order.',
        whenLeftOut: 'in_order',
      }),
    ),
    distribution: Type.Optional(
      Type.Boolean({ description: 'Adds the times from the first to the last step.' }),
    ),
    people: NewPeople,
    interval: TrendInterval,
    ...Window,
  },
  {
    additionalProperties: false,
    description:
      '`where` is at the entry: it holds for the step-1 event of the path that is counted.',
    examples: [
      {
        kind: 'funnel',
        steps: ENTRY,
        where: {
          all: [
            { field: 'platform', op: 'is', value: 'android' },
            { field: 'appVersion', op: 'gte', value: '2.10' },
          ],
        },
        days: 30,
      },
      {
        kind: 'funnel',
        steps: ENTRY,
        where: { all: [{ segment: 'seg_01kajw5g3me7t8q2w4r6y9b1cd', is: true }] },
        days: 30,
      },
    ],
  },
);
export type FunnelQuestion = Static<typeof FunnelQuestion>;

export const FunnelParameters = Type.Composite([
  FilterParameters,
  Type.Object({
    ...windowParameters({
      description: 'Counted back from now, 24 hours each. Not together with from and to.',
      whenLeftOut: DEFAULT_WINDOW_DAYS,
    }),
    people: NewPeople,
    windowHours: Type.Optional(
      QueryInteger(1, MAX_CONVERSION_HOURS, {
        description: "Time to convert, from step 1. The app's setting by default, else 336.",
      }),
    ),
  }),
]);
export type FunnelParameters = Static<typeof FunnelParameters>;

export const ReportQuery = Type.Composite([
  FunnelParameters,
  Type.Object({
    breakdown: Type.Optional(
      Type.String({
        pattern: `^(arm|${DIMENSION_PATTERN})$`,
        description: `${DIMENSION_NAMES}: the value on the step-1 event; arm: of the experiment that runs, or ran last.`,
      }),
    ),
    interval: TrendInterval,
    compare: Type.Optional(
      OneOf(['previous'], {
        description: 'Adds the comparison with the window of the same length directly before.',
      }),
    ),
  }),
]);
export type ReportQuery = Static<typeof ReportQuery>;

export const PeopleQuery = Type.Composite([
  FunnelParameters,
  PageParameters,
  Type.Object({
    step: QueryInteger(1, 12, { description: 'The `index` of a step.' }),
    dropped: Type.Optional(
      QueryBoolean({ description: 'Those lost between the step before and this one.' }),
    ),
  }),
]);
export type PeopleQuery = Static<typeof PeopleQuery>;
