import type { AppContext } from '../../context.ts';
import type { LifecycleAnswer, LifecycleQuestion } from '../../query/lifecycle/model.ts';
import { provenanceOf } from '../../query/selection/provenance.ts';
import { at } from '../../shared/assert.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { invalidInput } from '../../shared/errors.ts';
import { resolveTimezone } from '../app-settings/index.ts';
import { toFilters } from '../events/index.ts';
import { forecastFor } from '../funnels/index.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import { judge } from '../../shared/statistics/verdict.ts';
import type { LifecycleQuery, LifecycleReport } from './lifecycle.model.ts';
import type { WindowParameters } from './parameters.model.ts';
import { type Buckets, boundaryIso, resolveWindow, toBuckets } from './rules/window.ts';
import { DEFAULT_SERIES_DAYS, MAX_BUCKETS } from './series.ts';

export type PreparedLifecycle = {
  chosen: Pick<LifecycleReport, 'interval' | 'timezone' | 'environment'>;
  buckets: Buckets;
  nowMs: number;
  question: LifecycleQuestion;
};

export type WindowedLifecycle = WindowParameters &
  Pick<LifecycleQuery, 'interval'> & {
    events: Pick<LifecycleQuestion, 'breakdown' | 'filters' | 'names' | 'where'>;
  };

export const windowedLifecycle = (query: LifecycleQuery): WindowedLifecycle => ({
  ...query,
  events: { names: query.name === undefined ? null : [query.name], filters: toFilters(query) },
});

export async function prepareLifecycle(
  ctx: AppContext<'clock' | 'sql'>,
  query: WindowedLifecycle,
): Promise<PreparedLifecycle> {
  const { interval = 'day', environment = DEFAULT_SCOPE, events } = query;
  const timezone = await resolveTimezone(ctx, query.timezone);
  const window = resolveWindow(query, DEFAULT_SERIES_DAYS[interval], timezone, ctx.deps.clock());
  const buckets = toBuckets(window, interval, { lookback: 1 });
  if (buckets.boundariesMs.length > MAX_BUCKETS) {
    throw invalidInput('interval', 'makes too many points; use a longer one or fewer days');
  }
  return {
    chosen: { interval, timezone, environment },
    buckets,
    nowMs: window.nowMs,
    question: {
      orgId: ctx.orgId,
      appId: ctx.app.id,
      environment,
      boundariesUs: buckets.boundariesMs.map((ms) => ms * 1_000),
      ...events,
    },
  };
}

export const startOfLifecycle = ({ buckets, nowMs, question }: PreparedLifecycle) => ({
  names: question.names,
  filters: question.filters,
  environment: question.environment ?? DEFAULT_SCOPE,
  fromMs: at(buckets.boundariesMs, 0),
  toMs: at(buckets.boundariesMs, buckets.boundariesMs.length - 1),
  nowMs,
});

/** Nobody is dormant in an unfinished interval. */
function toPoints(
  { intervals }: Pick<LifecycleAnswer, 'intervals'>,
  buckets: Buckets,
): LifecycleReport['points'] {
  return intervals.map((people, index) => {
    const isOver = index < buckets.finished;
    return {
      from: boundaryIso(buckets, buckets.first + index),
      active: people.new + people.returning + people.resurrected,
      ...people,
      dormant: isOver ? people.dormant : null,
      ...(!isOver && { partial: true as const }),
    };
  });
}

export type CountedLifecycle = {
  report: LifecycleReport;
  groups?: (Pick<LifecycleReport, 'people' | 'points' | 'verdict'> & { value: string | null })[];
  bounds?: number[];
};

export async function countedLifecycle(
  ctx: AppContext<'queries'>,
  { buckets, question, nowMs, chosen }: PreparedLifecycle,
): Promise<CountedLifecycle> {
  const answer = await ctx.deps.queries.ask('lifecycle', question, { signal: ctx.signal });
  const { people, groups, brokenDown } = answer;
  const report = {
    window: {
      from: boundaryIso(buckets, buckets.first),
      to: boundaryIso(buckets, buckets.boundariesMs.length - 1),
    },
    ...chosen,
    people,
    minimumPeople: MINIMUM_PEOPLE,
    verdict: judge(people),
    points: toPoints(answer, buckets),
    computedAt: new Date(nowMs).toISOString(),
    ...provenanceOf(answer),
  } as const;
  return {
    report,
    ...(groups && {
      groups: groups.map(({ value, ...counted }) => ({
        ...{ value, people: counted.people, verdict: judge(counted.people) },
        points: toPoints(counted, buckets),
      })),
    }),
    ...(brokenDown?.bounds && { bounds: brokenDown.bounds }),
  };
}

export async function lifecycleReport(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  query: LifecycleQuery,
): Promise<LifecycleReport> {
  const prepared = await prepareLifecycle(ctx, windowedLifecycle(query));
  const { report } = await countedLifecycle(ctx, prepared);
  const { people } = report;
  const forecast = await forecastFor(ctx, { ...startOfLifecycle(prepared), people });
  return { ...report, ...(forecast && { forecast }) };
}
