import { at } from '../../../shared/assert.ts';
import { calendarBoundaries, startOfDate } from '../../../shared/calendar.ts';
import { invalidInput } from '../../../shared/errors.ts';
import { MAX_COHORT_BUCKETS } from '../../../query/cohorts/model.ts';
import { dayIn, resolveDays } from '../revenue/window.ts';
import { type CohortsInput, DEFAULT_COHORT_DAYS } from './model.ts';

export type CohortWindow = {
  boundariesMs: readonly number[];
  cohorts: number;
  /** Intervals that are over. */
  finished: number;
  timezone: string;
  nowMs: number;
};

export function resolveCohortWindow(
  input: Pick<CohortsInput, 'days' | 'from' | 'interval' | 'to'>,
  timezone: string,
  now: Date,
): CohortWindow {
  const { interval = 'month' } = input;
  const nowMs = now.getTime();
  const { from, to } = resolveDays(input, dayIn(nowMs, timezone), DEFAULT_COHORT_DAYS[interval]);
  const fromMs = startOfDate(from, timezone);
  const toMs = startOfDate(to, timezone, 1);
  const own = calendarBoundaries({ fromMs, toMs }, interval, timezone);
  const boundariesMs = calendarBoundaries({ fromMs, toMs: nowMs + 1 }, interval, timezone);
  if (boundariesMs.length - 1 > MAX_COHORT_BUCKETS) {
    const most = `must be at most ${MAX_COHORT_BUCKETS} intervals ago`;
    throw invalidInput(input.from === undefined ? 'days' : 'from', most);
  }
  const cohorts = Math.min(own.length, boundariesMs.length) - 1;
  const finished = boundariesMs.slice(1).filter((end) => end <= nowMs).length;
  return { boundariesMs, cohorts, finished, timezone, nowMs };
}

export const firstOf = ({ boundariesMs }: CohortWindow): number => at(boundariesMs, 0);
export const endOf = ({ boundariesMs }: CohortWindow): number =>
  at(boundariesMs, boundariesMs.length - 1);
