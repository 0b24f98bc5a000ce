import type { AppContext } from '../../context.ts';
import {
  type Cohorts,
  MAX_PERIODS,
  MAX_RETENTION_BUCKETS,
  type RetentionQuestion,
  type RetentionRules,
} from '../../query/retention/model.ts';
import { provenanceOf } from '../../query/selection/provenance.ts';
import { at } from '../../shared/assert.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { invalidInput } from '../../shared/errors.ts';
import { DAY_MS } from '../../shared/time.ts';
import { resolveTimezone } from '../app-settings/index.ts';
import { forecastFor } from '../funnels/index.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import { judge } from '../../shared/statistics/verdict.ts';
import type {
  RetentionInterval,
  RetentionParameters,
  RetentionQuery,
  RetentionReport,
} from './retention.model.ts';
import { cohortFigures } from './rules/retention.ts';
import { resolveWindow, toBuckets } from './rules/window.ts';

const DEFAULT_DAYS: Readonly<Record<RetentionInterval, number>> = { day: 14, week: 56, month: 182 };
const DEFAULTS = {
  interval: 'week',
  cohort: 'first',
  criterion: 'on',
  clock: 'calendar',
  environment: DEFAULT_SCOPE,
} as const;

type Selections = Pick<RetentionRules, 'return' | 'start'>;

type Asked = RetentionQuery & Selections & Pick<RetentionQuestion, 'breakdown'>;

type Counted = {
  report: RetentionReport;
  groups?: (Pick<RetentionReport, 'cohorts' | 'mean' | 'people' | 'verdict'> & {
    value: string | null;
  })[];
  bounds?: number[];
};

export type Prepared = {
  chosen: Pick<
    RetentionReport,
    'interval' | 'cohort' | 'criterion' | 'clock' | 'environment' | 'timezone'
  >;
  boundariesMs: readonly number[];
  nowMs: number;
  question: RetentionRules;
};

function toPeriodMs(interval: RetentionInterval, clock: RetentionReport['clock']): number | null {
  if (clock === 'calendar') return null;
  if (interval === 'month') throw invalidInput('clock', 'hours need interval=day or interval=week');
  return interval === 'day' ? DAY_MS : 7 * DAY_MS;
}

export async function prepareRetention(
  ctx: AppContext<'clock' | 'sql'>,
  selection: RetentionParameters & Selections,
): Promise<Prepared> {
  const {
    interval = DEFAULTS.interval,
    cohort = DEFAULTS.cohort,
    criterion = DEFAULTS.criterion,
    clock = DEFAULTS.clock,
    environment = DEFAULTS.environment,
  } = selection;
  const periodMs = toPeriodMs(interval, clock);
  const timezone = await resolveTimezone(ctx, selection.timezone);
  const window = resolveWindow(selection, DEFAULT_DAYS[interval], timezone, ctx.deps.clock());
  const cohorts = toBuckets(window, interval).count;
  const { boundariesMs } = toBuckets({ ...window, toMs: window.nowMs + 1 }, interval);
  if (boundariesMs.length - 1 > MAX_RETENTION_BUCKETS) {
    const most = `must be at most ${MAX_RETENTION_BUCKETS} intervals ago`;
    throw invalidInput(selection.from === undefined ? 'days' : 'from', most);
  }
  return {
    chosen: { interval, cohort, criterion, clock, environment, timezone },
    boundariesMs,
    nowMs: window.nowMs,
    question: {
      orgId: ctx.orgId,
      appId: ctx.app.id,
      environment,
      boundariesUs: boundariesMs.map((ms) => ms * 1_000),
      cohorts,
      cohort,
      criterion,
      periodUs: periodMs === null ? null : periodMs * 1_000,
      startName: selection.startName ?? null,
      returnName: selection.returnName ?? null,
      ...(selection.start && { start: selection.start }),
      ...(selection.return && { return: selection.return }),
    },
  };
}

export const startOfCohorts = ({ boundariesMs, nowMs, question }: Prepared) => ({
  names: question.startName === null ? null : [question.startName],
  filters: {},
  environment: question.environment ?? DEFAULT_SCOPE,
  fromMs: at(boundariesMs, 0),
  toMs: at(boundariesMs, question.cohorts),
  nowMs,
});

export async function countedRetention(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  query: Asked,
): Promise<Counted> {
  const prepared = await prepareRetention(ctx, query);
  const { boundariesMs, question, nowMs, chosen } = prepared;
  const longest = Math.min(MAX_PERIODS, Math.max(1, boundariesMs.length - 2));
  const periods = Math.min(query.periods ?? longest, longest);
  const { breakdown } = query;
  const answer = await ctx.deps.queries.ask(
    'retention',
    { ...question, periods, ...(breakdown && { breakdown }) },
    { signal: ctx.signal },
  );
  const forecast = await forecastFor(ctx, { ...startOfCohorts(prepared), people: answer.people });
  const iso = (boundary: number) => new Date(at(boundariesMs, boundary)).toISOString();
  const figuresOf = (counted: Cohorts) => ({
    people: counted.people,
    verdict: judge(counted.people),
    ...cohortFigures(prepared, counted, periods),
  });
  const { groups, brokenDown } = answer;
  return {
    report: {
      window: { from: iso(0), to: iso(question.cohorts) },
      ...chosen,
      minimumPeople: MINIMUM_PEOPLE,
      ...figuresOf(answer),
      computedAt: new Date(nowMs).toISOString(),
      ...provenanceOf(answer),
      ...(forecast && { forecast }),
    },
    ...(groups && {
      groups: groups.map(({ value, ...counted }) => ({ value, ...figuresOf(counted) })),
    }),
    ...(brokenDown?.bounds && { bounds: brokenDown.bounds }),
  };
}

export const retentionReport = async (
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  query: RetentionQuery,
): Promise<RetentionReport> => (await countedRetention(ctx, query)).report;
