import type { AppContext } from '../../context.ts';
import {
  MAX_PERIODS,
  MAX_RETENTION_BUCKETS,
  type RetentionAnswer,
  type RetentionRules,
} from '../../query/retention/model.ts';
import { at } from '../../shared/assert.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { invalidInput } from '../../shared/errors.ts';
import { DAY_MS } from '../../shared/time.ts';
import { forecastFor, judge, MINIMUM_PEOPLE, NO_RATE, rateWithInterval } from '../funnels/index.ts';
import type {
  RetentionCell,
  RetentionInterval,
  RetentionQuery,
  RetentionReport,
  RetentionSelection,
} from './retention.model.ts';
import { timezoneOf } from './series.ts';
import { bucketsOf, resolveWindow } from './window.ts';

const DEFAULT_DAYS: Readonly<Record<RetentionInterval, number>> = { day: 14, week: 56, month: 182 };
const DEFAULTS = {
  interval: 'week',
  cohort: 'first',
  criterion: 'on',
  clock: 'calendar',
  environment: DEFAULT_SCOPE,
} as const;

/** The selection with its defaults, and the intervals from the first cohort's to the present one. */
export type Prepared = {
  chosen: Pick<
    RetentionReport,
    'interval' | 'cohort' | 'criterion' | 'clock' | 'environment' | 'timezone'
  >;
  boundariesMs: readonly number[];
  nowMs: number;
  question: RetentionRules;
};

function periodMsOf(interval: RetentionInterval, clock: RetentionReport['clock']): number | null {
  if (clock === 'calendar') return null;
  if (interval === 'month') throw invalidInput('clock', 'hours need interval=day or interval=week');
  return interval === 'day' ? DAY_MS : 7 * DAY_MS;
}

/** Throws `invalid_input` for a window of too many intervals, and what does not go together. */
export async function prepareRetention(
  ctx: AppContext<'clock' | 'sql'>,
  selection: RetentionSelection,
): Promise<Prepared> {
  const {
    interval = DEFAULTS.interval,
    cohort = DEFAULTS.cohort,
    criterion = DEFAULTS.criterion,
    clock = DEFAULTS.clock,
    environment = DEFAULTS.environment,
  } = selection;
  const periodMs = periodMsOf(interval, clock);
  const timezone = await timezoneOf(ctx, selection.timezone);
  const window = resolveWindow(selection, DEFAULT_DAYS[interval], timezone, ctx.deps.clock());
  const cohorts = bucketsOf(window, interval).count;
  const { boundariesMs } = bucketsOf({ ...window, toMs: window.nowMs + 1 }, interval);
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
    },
  };
}

/** What begins a cohort, and in which window. */
export const startOfCohorts = ({ boundariesMs, nowMs, question }: Prepared) => ({
  names: question.startName === null ? null : [question.startName],
  filters: {},
  environment: question.environment ?? DEFAULT_SCOPE,
  fromMs: at(boundariesMs, 0),
  toMs: at(boundariesMs, question.cohorts),
  nowMs,
});

/** Whether a period is over for everybody of a cohort. */
function isOver({ boundariesMs, nowMs, question }: Prepared, cohort: number, period: number) {
  if (question.periodUs === null) {
    const end = boundariesMs[cohort + period + 1];
    return end !== undefined && end <= nowMs;
  }
  const lastStartMs = at(boundariesMs, cohort + 1);
  return lastStartMs + ((period + 1) * question.periodUs) / 1_000 <= nowMs;
}

function cellOf(returned: number, size: number, isShown: boolean): RetentionCell {
  if (!isShown) return { returned: null, ...NO_RATE };
  return {
    returned,
    ...(size < MINIMUM_PEOPLE ? NO_RATE : rateWithInterval(returned, size)),
  };
}

/** The mean of a column: Σ returned ÷ Σ size over the cohorts that finished it. */
function meanOf(
  prepared: Prepared,
  cohorts: RetentionAnswer['cohorts'],
  period: number,
  isShown: boolean,
): RetentionCell {
  const over = cohorts.filter((_, cohort) => isOver(prepared, cohort, period));
  if (over.length === 0) return null;
  const size = over.reduce((sum, cohort) => sum + cohort.size, 0);
  const returned = over.reduce((sum, cohort) => sum + at(cohort.returned, period - 1), 0);
  return cellOf(returned, size, isShown);
}

/**
 * Retention: a cohort by the first such event ever (`first`) or in the period (`recurring`);
 * `criterion` on or on_or_after; `clock` calendar days of the app's zone or hours. An unfinished
 * period is null, never 0. The mean of a column is Σ returned ÷ Σ size over cohorts that finished it.
 * A cohort under fifty shows counts and no rate; the mean row has a fifty of its own.
 */
export async function retentionReport(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  query: RetentionQuery,
): Promise<RetentionReport> {
  const prepared = await prepareRetention(ctx, query);
  const { boundariesMs, question, nowMs, chosen } = prepared;
  const longest = Math.min(MAX_PERIODS, Math.max(1, boundariesMs.length - 2));
  const periods = Math.min(query.periods ?? longest, longest);
  const answer = await ctx.deps.queries.ask(
    'retention',
    { ...question, periods },
    { signal: ctx.signal },
  );
  const verdict = judge(answer.people);
  const people = answer.people;
  const forecast = await forecastFor(ctx, { ...startOfCohorts(prepared), people });
  const isShown = verdict === 'ready';
  const numbers = Array.from({ length: periods }, (_, index) => index + 1);
  const iso = (boundary: number) => new Date(at(boundariesMs, boundary)).toISOString();
  return {
    window: { from: iso(0), to: iso(question.cohorts) },
    ...chosen,
    people: answer.people,
    minimumPeople: MINIMUM_PEOPLE,
    verdict,
    cohorts: answer.cohorts.map(({ size, returned }, cohort) => ({
      from: iso(cohort),
      people: size,
      verdict: judge(size),
      ...(at(boundariesMs, cohort + 1) > nowMs && { partial: true as const }),
      periods: numbers.map((period) =>
        isOver(prepared, cohort, period) ? cellOf(at(returned, period - 1), size, isShown) : null,
      ),
    })),
    mean: numbers.map((period) => meanOf(prepared, answer.cohorts, period, isShown)),
    computedAt: new Date(nowMs).toISOString(),
    dataThrough: new Date(answer.dataThroughMs).toISOString(),
    ...(forecast && { forecast }),
  };
}
