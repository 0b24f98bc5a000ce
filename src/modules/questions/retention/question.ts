import { type Static, Type } from '@sinclair/typebox';
import * as retention from '../../../query/retention/model.ts';
import { Named, OneOf, QueryInteger } from '../../../shared/schema.ts';
import { BreakdownBy } from '../resolve/breakdown.model.ts';
import { NameParameter, PageParameters, WindowParameters } from '../resolve/parameters.model.ts';
import { SegmentsApart } from '../resolve/segments.model.ts';
import { Selection } from '../resolve/selection.model.ts';
import { Window } from '../resolve/window.model.ts';

export const RETENTION_INTERVALS = ['day', 'week', 'month'] as const;
export type RetentionInterval = (typeof RETENTION_INTERVALS)[number];

const Cohorts = {
  interval: Type.Optional(
    OneOf(RETENTION_INTERVALS, { description: 'Weeks begin on Monday.', whenLeftOut: 'week' }),
  ),
  cohort: Type.Optional(
    OneOf(retention.COHORTS, {
      description:
        'first: by the first event ever; recurring: everybody with an event in the interval.',
      whenLeftOut: 'first',
    }),
  ),
  criterion: Type.Optional(
    OneOf(retention.CRITERIA, {
      description: 'on: came back in that very period; on_or_after: then or later.',
      whenLeftOut: 'on',
    }),
  ),
  clock: Type.Optional(
    OneOf(retention.CLOCKS, {
      description:
        "calendar: days of the app's zone; hours: periods of 24 hours (7 times 24 by week) from each person's own start. Not with interval=month.",
      whenLeftOut: 'calendar',
    }),
  ),
};

const PERIODS = "Columns after the cohort's own; all until now when left out.";

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
    ...Cohorts,
    periods: Type.Optional(
      Type.Integer({ minimum: 1, maximum: retention.MAX_PERIODS, description: PERIODS }),
    ),
    ...Window,
  },
  {
    additionalProperties: false,
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

const RetentionParameters = Type.Composite([
  WindowParameters,
  Type.Object({
    ...Cohorts,
    startName: Type.Optional(NameParameter('The event that starts; any when left out.')),
    returnName: Type.Optional(
      NameParameter('The event that counts as coming back; any when left out.'),
    ),
  }),
]);

export const RetentionQuery = Type.Composite([
  RetentionParameters,
  Type.Object({
    periods: Type.Optional(QueryInteger(1, retention.MAX_PERIODS, { description: PERIODS })),
  }),
]);
export type RetentionQuery = Static<typeof RetentionQuery>;

export const RetentionPeopleQuery = Type.Composite([
  RetentionParameters,
  PageParameters,
  Type.Object({
    cohortIndex: QueryInteger(0, retention.MAX_RETENTION_BUCKETS - 1, {
      description: 'The place of the cohort, from 0.',
    }),
    period: Type.Optional(
      QueryInteger(0, retention.MAX_PERIODS, {
        description: '0, the default, is the cohort itself.',
      }),
    ),
  }),
]);
export type RetentionPeopleQuery = Static<typeof RetentionPeopleQuery>;
