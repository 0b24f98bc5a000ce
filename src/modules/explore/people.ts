import type { AppContext } from '../../context.ts';
import type { PeopleAnswer } from '../../query/selection/people-page.ts';
import { at } from '../../shared/assert.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { AppError, invalidInput } from '../../shared/errors.ts';
import { cursorAfter, decodeCursor } from '../../shared/person-cursor.ts';
import { resolveTimezone } from '../app-settings/index.ts';
import { toFilters } from '../events/index.ts';
import { type firstBeginning, forecastFor } from '../funnels/index.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import type { LifecyclePeopleQuery } from './lifecycle.model.ts';
import {
  type PreparedLifecycle,
  prepareLifecycle,
  startOfLifecycle,
  windowedLifecycle,
} from './lifecycle.ts';
import {
  DEFAULT_PAGE,
  type PageParameters,
  type PeopleBehind,
  type RetentionPeopleQuery,
  type SeriesPeopleQuery,
} from './people.model.ts';
import { type Prepared, prepareRetention, startOfCohorts } from './retention.ts';
import { toBuckets, resolveWindow } from './rules/window.ts';
import type { WindowParameters } from './parameters.model.ts';
import { DEFAULT_SERIES_DAYS, MAX_BUCKETS } from './series.ts';

const toPageOptions = ({ cursor, limit = DEFAULT_PAGE }: PageParameters) => ({
  after: decodeCursor(cursor),
  limit,
});

async function toPage(
  ctx: AppContext<'queries'>,
  { total, people, hasMore }: PeopleAnswer,
  beginning: Parameters<typeof firstBeginning>[1] & { nowMs: number },
): Promise<PeopleBehind> {
  const forecast = await forecastFor(ctx, { ...beginning, people: total });
  if (forecast) {
    throw new AppError('conflict', 'Too few people are in this report to list them.', {
      hint: `At least ${MINIMUM_PEOPLE} people in the whole window are needed. ${forecast.text}`,
    });
  }
  return {
    people: people.map((personId) => ({ personId })),
    nextCursor: cursorAfter(people.at(-1), hasMore),
  };
}

type Point = WindowParameters & Pick<SeriesPeopleQuery, 'interval' | 'point'>;

/** Where a point of a series is; throws `invalid_input` where it has no such point. */
export async function findPoint(ctx: AppContext<'clock' | 'sql'>, query: Point) {
  const { interval = 'day' } = query;
  const timezone = await resolveTimezone(ctx, query.timezone);
  const defaultDays = DEFAULT_SERIES_DAYS[interval];
  const window = resolveWindow(query, defaultDays, timezone, ctx.deps.clock());
  const { boundariesMs } = toBuckets(window, interval);
  if (boundariesMs.length > MAX_BUCKETS) {
    throw invalidInput('interval', 'makes too many points; use a longer one or fewer days');
  }
  const bucket = boundariesMs.slice(0, -1).indexOf(Date.parse(query.point));
  if (bucket === -1) throw invalidInput('point', 'must be the from of a point of the series');
  return { boundariesMs, bucket, nowMs: window.nowMs };
}

export async function listSeriesPeople(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  query: SeriesPeopleQuery,
): Promise<PeopleBehind> {
  const { environment = DEFAULT_SCOPE, name } = query;
  const page = toPageOptions(query);
  const { boundariesMs, bucket, nowMs } = await findPoint(ctx, query);
  const answer = await ctx.deps.queries.ask(
    'series-people',
    {
      orgId: ctx.orgId,
      appId: ctx.app.id,
      environment,
      boundariesUs: boundariesMs.map((ms) => ms * 1_000),
      names: name === undefined ? null : [name],
      filters: toFilters(query),
      bucket,
      ...page,
    },
    { signal: ctx.signal },
  );
  return toPage(ctx, answer, {
    names: name === undefined ? null : [name],
    filters: toFilters(query),
    environment,
    fromMs: at(boundariesMs, 0),
    toMs: at(boundariesMs, boundariesMs.length - 1),
    nowMs,
  });
}

export function checkCohort({ question: { cohorts } }: Prepared, cohortIndex: number): void {
  if (cohortIndex < cohorts) return;
  throw invalidInput('cohortIndex', `must be one of the ${cohorts} cohorts`);
}

export async function listRetentionPeople(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  query: RetentionPeopleQuery,
): Promise<PeopleBehind> {
  const page = toPageOptions(query);
  const prepared = await prepareRetention(ctx, query);
  const { cohortIndex, period = 0 } = query;
  checkCohort(prepared, cohortIndex);
  const asked = { ...prepared.question, cohortIndex, period, ...page };
  const answer = await ctx.deps.queries.ask('retention-people', asked, { signal: ctx.signal });
  return toPage(ctx, answer, startOfCohorts(prepared));
}

export function stateAt(
  { buckets: { first, finished, count, boundariesMs } }: PreparedLifecycle,
  { point, state }: Pick<LifecyclePeopleQuery, 'point' | 'state'>,
) {
  const place = boundariesMs.slice(first, first + count).indexOf(Date.parse(point));
  if (place === -1) throw invalidInput('point', 'must be the from of a point of the lifecycle');
  if (state === 'dormant' && place >= finished) {
    throw invalidInput('state', 'is not known of an interval that is not over');
  }
  return { interval: first + place, state };
}

export async function listLifecyclePeople(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  query: LifecyclePeopleQuery,
): Promise<PeopleBehind> {
  const page = toPageOptions(query);
  const prepared = await prepareLifecycle(ctx, windowedLifecycle(query));
  const asked = { ...prepared.question, ...stateAt(prepared, query), ...page };
  const answer = await ctx.deps.queries.ask('lifecycle-people', asked, { signal: ctx.signal });
  return toPage(ctx, answer, startOfLifecycle(prepared));
}
