import { type Static, Type } from '@sinclair/typebox';
import { MAX_FUNNEL_STEPS } from '../../query/funnel/model.ts';
import { Measure } from '../../query/measures/model.ts';
import { MAX_PATH_NAMES, PATH_DIRECTIONS } from '../../query/paths/model.ts';
import { CLOCKS, COHORTS, CRITERIA, MAX_PERIODS } from '../../query/retention/model.ts';
import { Conditions } from '../../query/selection/conditions.ts';
import { MAX_SERIES_NAMES } from '../../query/series/model.ts';
import { CALENDAR_INTERVALS } from '../../shared/calendar.ts';
import { Named, OneOf } from '../../shared/schema.ts';
import { RETENTION_INTERVALS } from '../explore/index.ts';
import { INTERVALS, MAX_CONVERSION_HOURS } from '../funnels/index.ts';
import { BreakdownBy } from './breakdown.model.ts';
import { SegmentsApart } from './segments.model.ts';
import { Selection } from './selection.model.ts';
import { Window } from './window.model.ts';

const STRICT = { additionalProperties: false };

const ENTRY = [{ events: ['paywall_viewed'] }, { events: ['purchase_completed'] }];

const Interval = Type.Optional(OneOf(CALENDAR_INTERVALS, { whenLeftOut: 'day' }));

const Compare = Type.Optional(
  Type.Boolean({
    description: 'With the window before: as many intervals as are over.',
    default: true,
  }),
);

export const SeriesQuestion = Named(
  'SeriesQuestion',
  {
    kind: Type.Literal('series'),
    series: Type.Array(Selection, {
      minItems: 1,
      maxItems: MAX_SERIES_NAMES,
      description: 'A series each; an event may be in several.',
    }),
    breakdown: Type.Optional(
      Type.Union([BreakdownBy, Type.Array(BreakdownBy, { minItems: 2, maxItems: 2 })], {
        rule: 'must be a dimension, a property in ranges, or two of them',
        description:
          'A series for each of the six values with most events, and one for the others; for each range of numbers; of two dimensions for each pair, six by six and the others of each. With one series only.',
      }),
    ),
    segments: Type.Optional({
      ...SegmentsApart,
      description: `${SegmentsApart.description} A series each; with one series only.`,
    }),
    interval: Interval,
    compare: Compare,
    ...Window,
  },
  {
    ...STRICT,
    examples: [
      {
        kind: 'series',
        series: [
          {
            events: ['searched'],
            where: { all: [{ field: 'prop:results', op: 'is', value: 0 }] },
          },
        ],
        breakdown: 'prop:term',
        days: 7,
      },
    ],
  },
);
export type SeriesQuestion = Static<typeof SeriesQuestion>;

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
          STRICT,
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
    people: Type.Optional(OneOf(['all', 'new'], { whenLeftOut: 'all' })),
    interval: Type.Optional(OneOf(INTERVALS, { description: 'Adds the trend.' })),
    ...Window,
  },
  {
    ...STRICT,
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

export const RetentionQuestion = Named(
  'RetentionQuestion',
  {
    kind: Type.Literal('retention'),
    start: Type.Optional(Selection),
    return: Type.Optional(Selection),
    breakdown: Type.Optional(
      Type.Union(BreakdownBy.anyOf, {
        rule: BreakdownBy.rule,
        description:
          'Of what starts: the six values with most starts, each with the cohorts that it would have if it alone were asked for, and all others together.',
      }),
    ),
    segments: Type.Optional(SegmentsApart),
    interval: Type.Optional(OneOf(RETENTION_INTERVALS, { whenLeftOut: 'week' })),
    cohort: Type.Optional(OneOf(COHORTS, { whenLeftOut: 'first' })),
    criterion: Type.Optional(OneOf(CRITERIA, { whenLeftOut: 'on' })),
    clock: Type.Optional(OneOf(CLOCKS, { whenLeftOut: 'calendar' })),
    periods: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PERIODS })),
    ...Window,
  },
  {
    ...STRICT,
    description:
      'What starts and what counts as coming back; any event of clients when left out. Cohorts and returns are as in the report of retention.',
    examples: [
      {
        kind: 'retention',
        start: { where: { all: [{ field: 'country', op: 'is', value: 'DE' }] } },
        return: { events: ['app_opened'] },
        interval: 'week',
      },
      {
        kind: 'retention',
        start: { where: { all: [{ field: 'first:country', op: 'is', value: 'DE' }] } },
        breakdown: 'first:appVersion',
        interval: 'week',
      },
    ],
  },
);
export type RetentionQuestion = Static<typeof RetentionQuestion>;

const MAX_MEASURES = 6;

export const MeasuresQuestion = Named(
  'MeasuresQuestion',
  {
    kind: Type.Literal('measures'),
    selection: Type.Optional(Selection),
    measure: Measure,
    others: Type.Optional(
      Type.Array(Measure, {
        minItems: 1,
        maxItems: MAX_MEASURES - 1,
        description: 'Further measures of the same selection.',
      }),
    ),
    breakdown: Type.Optional(BreakdownBy),
    interval: Interval,
    compare: Compare,
    ...Window,
  },
  {
    ...STRICT,
    description:
      'Sessions are those with an event of the selection, each in the interval in which it begins. Broken down, each value is measured as if its events alone were asked for.',
    examples: [
      {
        kind: 'measures',
        selection: { events: ['purchase_completed'] },
        measure: { of: 'property', property: 'price', statistic: 'median', per: 'event' },
        interval: 'week',
      },
    ],
  },
);
export type MeasuresQuestion = Static<typeof MeasuresQuestion>;

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
    ...STRICT,
    description: 'New is then who did this for the first time.',
    examples: [{ kind: 'lifecycle', selection: { events: ['searched'] }, interval: 'week' }],
  },
);
export type LifecycleQuestion = Static<typeof LifecycleQuestion>;

export const PathsQuestion = Named(
  'PathsQuestion',
  {
    kind: Type.Literal('paths'),
    selection: Selection,
    direction: Type.Optional(OneOf(PATH_DIRECTIONS, { whenLeftOut: 'after' })),
    names: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_PATH_NAMES,
        description: 'Events named in each step; all others are one.',
      }),
    ),
    ...Window,
  },
  {
    ...STRICT,
    description: 'What comes directly beside the first event of the selection in each session.',
    examples: [
      { kind: 'paths', selection: { events: ['account_deleted'] }, direction: 'before', days: 90 },
    ],
  },
);
export type PathsQuestion = Static<typeof PathsQuestion>;

const KINDS = [
  SeriesQuestion,
  FunnelQuestion,
  RetentionQuestion,
  MeasuresQuestion,
  LifecycleQuestion,
  PathsQuestion,
] as const;

/** By `kind`; a further kind is a further member, with its answer in `answer.model.ts`. */
export const Question = Type.Union([...KINDS], {
  title: 'Question',
  examples: KINDS.flatMap(({ examples }) => examples),
  rule: 'must be a question of the kind series, funnel, retention, measures, lifecycle or paths',
});
export type Question = Static<typeof Question>;
