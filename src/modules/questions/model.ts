import { type Static, Type } from '@sinclair/typebox';
import { MAX_FUNNEL_STEPS } from '../../query/funnel/model.ts';
import { CLOCKS, COHORTS, CRITERIA, MAX_PERIODS } from '../../query/retention/model.ts';
import { Conditions } from '../../query/selection/conditions.ts';
import { QUESTION_DIMENSION_PATTERN } from '../../query/selection/dimension.ts';
import { MAX_SERIES_NAMES } from '../../query/series/model.ts';
import { CALENDAR_INTERVALS } from '../../shared/calendar.ts';
import { DEFAULT_SCOPE, ENVIRONMENT_SCOPES } from '../../shared/environment.ts';
import { Named, OneOf } from '../../shared/schema.ts';
import { MAX_WINDOW_DAYS, RETENTION_INTERVALS } from '../explore/index.ts';
import { INTERVALS, MAX_CONVERSION_HOURS } from '../funnels/index.ts';

const STRICT = { additionalProperties: false };

const EventName = Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' });

export const Selection = Named(
  'EventSelection',
  {
    events: Type.Optional(
      Type.Array(EventName, {
        minItems: 1,
        maxItems: 6,
        description: 'Names, any of which; anything that clients send when left out.',
      }),
    ),
    where: Type.Optional(Conditions),
  },
  { ...STRICT, description: 'Which events are meant.' },
);
export type Selection = Static<typeof Selection>;

const Moment = Type.String({ maxLength: 40 });

/** As the parameters of reports have it. */
const Window = {
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_WINDOW_DAYS,
      description: 'Before today, or before now for funnels. Not together with from and to.',
    }),
  ),
  from: Type.Optional({
    ...Moment,
    description: 'A date such as 2026-11-21 or an ISO 8601 date-time with an offset.',
  }),
  to: Type.Optional({ ...Moment, description: 'A date is included, a date-time is not.' }),
  timezone: Type.Optional(
    Type.String({ maxLength: 64, description: "IANA name; the app's timezone when left out." }),
  ),
  environment: Type.Optional(OneOf(ENVIRONMENT_SCOPES, { whenLeftOut: DEFAULT_SCOPE })),
};

const ENTRY = [{ events: ['paywall_viewed'] }, { events: ['purchase_completed'] }];

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
      Type.String({
        pattern: `^(${QUESTION_DIMENSION_PATTERN})$`,
        description:
          'platform, appVersion, osVersion, locale, country, name or prop:NAME: a series for each of the six values with most events, and one for the others. With one series only.',
      }),
    ),
    interval: Type.Optional(OneOf(CALENDAR_INTERVALS, { whenLeftOut: 'day' })),
    compare: Type.Optional(
      Type.Boolean({
        description: 'With the window before: as many intervals as are over.',
        default: true,
      }),
    ),
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
    /** At the entry. */
    where: Type.Optional(Conditions),
    breakdown: Type.Optional(
      Type.String({
        pattern: `^(arm|${QUESTION_DIMENSION_PATTERN})$`,
        description:
          'platform, appVersion, osVersion, locale, country, name or prop:NAME: the value on the step-1 event; arm: of the experiment that runs, or ran last.',
      }),
    ),
    windowHours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_CONVERSION_HOURS,
        description: "Time to convert, from step 1. The app's setting when left out.",
      }),
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
    ],
  },
);
export type RetentionQuestion = Static<typeof RetentionQuestion>;

/** By `kind`; a further kind is a further member, with its answer in `answer.model.ts`. */
export const Question = Type.Union([SeriesQuestion, FunnelQuestion, RetentionQuestion], {
  title: 'Question',
  examples: [SeriesQuestion, FunnelQuestion, RetentionQuestion].flatMap(({ examples }) => examples),
  rule: 'must be a question of the kind series, funnel or retention',
});
export type Question = Static<typeof Question>;
