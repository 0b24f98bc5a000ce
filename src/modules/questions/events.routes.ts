import { taggedRoutes } from '../../http/route.ts';
import { LifecycleReport } from './lifecycle/answer.model.ts';
import { readLifecycle, toLifecycle } from './lifecycle/answer.ts';
import { LifecyclePeopleQuery, LifecycleQuery } from './lifecycle/question.ts';
import { PathsReport } from './paths/answer.model.ts';
import { readPaths } from './paths/answer.ts';
import { PathsQuery } from './paths/question.ts';
import { PeopleBehind, SeriesPeopleQuery } from './people.model.ts';
import { listReportPeople } from './people.ts';
import { EventProperties, PropertiesQuery, readProperties } from './properties.ts';
import { toSelection } from './resolve/parameters.model.ts';
import { RetentionReport } from './retention/answer.model.ts';
import { readRetention, toRetention } from './retention/answer.ts';
import { RetentionPeopleQuery, RetentionQuery } from './retention/question.ts';
import { EventSeries } from './series/answer.model.ts';
import { SeriesQuery } from './series/question.ts';
import { readEventSeries } from './series/report.ts';

type Figure = Parameters<typeof listReportPeople>[1];

const toPoint = ({ point, ...query }: SeriesPeopleQuery): Figure => ({
  question: { ...query, kind: 'series', series: [toSelection(query).selection] },
  figure: { of: 'point', point },
});

const toCohort = ({ cohortIndex, period = 0, ...query }: RetentionPeopleQuery): Figure => ({
  question: toRetention(query),
  figure: { of: 'cohort', cohortIndex, period },
});

const toState = ({ point, state, ...query }: LifecyclePeopleQuery): Figure => ({
  question: toLifecycle(query),
  figure: { of: 'state', point, state },
});

export const eventReportRoutes = taggedRoutes('Events', '/v1/apps/:id/events')
  .get('/series', ({ ctx, query }) => readEventSeries(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: SeriesQuery,
    response: { 200: EventSeries },
    detail: {
      operationId: 'getEventSeries',
      summary: 'People and events by hour, day, week or month',
      description:
        "Active is who has at least one event whose name does not begin with `$`. People are distinct, so neither intervals nor breakdown values add up to the totals, which are given apart. The window is 28 days of the app's timezone and today, compared with the 28 days before; the unfinished interval is marked `partial` and left out of totals and changes. WAU and MAU of day d are the distinct people of d−6…d and d−27…d.",
    },
  })
  .get('/retention', ({ ctx, query }) => readRetention(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: RetentionQuery,
    response: { 200: RetentionReport },
    detail: {
      operationId: 'getEventRetention',
      summary: 'Who comes back, by cohort and period',
      description:
        'A cohort is made of people by their first event ever (`first`) or by an event in the interval (`recurring`). A period that is not over is null, never 0. The mean of a column is Σ returned ÷ Σ size over the cohorts that finished it. A cohort under fifty people shows counts and no rate, the mean has a fifty of its own, and under fifty people in all only sizes are shown.',
    },
  })
  .get('/lifecycle', ({ ctx, query }) => readLifecycle(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: LifecycleQuery,
    response: { 200: LifecycleReport },
    detail: {
      operationId: 'getEventLifecycle',
      summary: 'People who are new, returning, resurrected and dormant, by interval',
      description:
        'New is whose first event ever lies in the interval; returning who was active in the interval before too; resurrected who was active earlier, but not in the interval before; dormant who was active in the interval before and is not in this one. Active people are new + returning + resurrected, and those of the interval before are returning + dormant. `name` and filters hold for all of it: new is then who did this for the first time.',
    },
  })
  .get('/lifecycle/people', ({ ctx, query }) => listReportPeople(ctx, toState(query), query), {
    forApp: { permission: 'analytics:read', errors: ['conflict'] },
    query: LifecyclePeopleQuery,
    response: { 200: PeopleBehind },
    detail: {
      operationId: 'listEventLifecyclePeople',
      summary: 'The people behind a number of the lifecycle',
      description:
        'By id, a page at a time. 409 `conflict` where fewer than fifty people are in the window and the interval before it.',
    },
  })
  .get('/paths', ({ ctx, query }) => readPaths(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: PathsQuery,
    response: { 200: PathsReport },
    detail: {
      operationId: 'getEventPaths',
      summary: 'What comes directly before or after an event',
      description:
        'Three steps from the first event of this name in each session, in the window. A session counts once; the nodes of a step add up to the sessions that got there. The most frequent events of a step are named, all others are one node (`rest`), and `end` is where the session has no more. A session is what came with one session id; without an id it ends after 30 minutes without an event. Under fifty people no step is shown.',
    },
  })
  .get('/series/people', ({ ctx, query }) => listReportPeople(ctx, toPoint(query), query), {
    forApp: { permission: 'analytics:read', errors: ['conflict'] },
    query: SeriesPeopleQuery,
    response: { 200: PeopleBehind },
    detail: {
      operationId: 'listEventSeriesPeople',
      summary: 'The people behind a point of a series',
      description:
        'By id, a page at a time. 409 `conflict` where fewer than fifty people are in the whole window: a list of them would disclose them.',
    },
  })
  .get('/retention/people', ({ ctx, query }) => listReportPeople(ctx, toCohort(query), query), {
    forApp: { permission: 'analytics:read', errors: ['conflict'] },
    query: RetentionPeopleQuery,
    response: { 200: PeopleBehind },
    detail: {
      operationId: 'listEventRetentionPeople',
      summary: 'The people behind a cell of retention',
      description:
        'By id, a page at a time. 409 `conflict` where fewer than fifty people are in all cohorts together.',
    },
  })
  .get('/properties', ({ ctx, query }) => readProperties(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: PropertiesQuery,
    response: { 200: EventProperties },
    detail: {
      operationId: 'listEventProperties',
      summary: 'The properties of an event: names, types and most frequent values',
      description:
        'Of the events received last, at most 100,000 of them. Most events first; ten values of each property, as text. The values come from clients.',
    },
  });
