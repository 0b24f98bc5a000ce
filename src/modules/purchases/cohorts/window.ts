import { at } from '../../../shared/assert.ts';
import { calendarBoundaries, startOfDate } from '../../../shared/calendar.ts';
import { invalidInput } from '../../../shared/errors.ts';
import { addDays } from '../../../shared/pacific.ts';
import { MAX_COHORT_BUCKETS } from '../../../query/cohorts/model.ts';
import { dayIn } from '../revenue/window.ts';
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
  const { from: first, to: last, days, interval = 'month' } = input;
  if (days !== undefined && (first !== undefined || last !== undefined)) {
    throw invalidInput('days', 'give either days or from and to, not both');
  }
  const nowMs = now.getTime();
  const today = dayIn(nowMs, timezone);
  const to = last ?? today;
  const from = first ?? addDays(to, 1 - (days ?? DEFAULT_COHORT_DAYS[interval]));
  if (from > to) throw invalidInput('from', 'must not be after to');
  if (to > today) throw invalidInput('to', 'must not be after today');
  const fromMs = startOfDate(from, timezone);
  const toMs = startOfDate(to, timezone, 1);
  const own = calendarBoundaries({ fromMs, toMs }, interval, timezone);
  const boundariesMs = calendarBoundaries({ fromMs, toMs: nowMs + 1 }, interval, timezone);
  if (boundariesMs.length - 1 > MAX_COHORT_BUCKETS) {
    const most = `must be at most ${MAX_COHORT_BUCKETS} intervals ago`;
    throw invalidInput(first === undefined ? 'days' : 'from', most);
  }
  const cohorts = Math.min(own.length, boundariesMs.length) - 1;
  const finished = boundariesMs.slice(1).filter((end) => end <= nowMs).length;
  return { boundariesMs, cohorts, finished, timezone, nowMs };
}

export const firstOf = ({ boundariesMs }: CohortWindow): number => at(boundariesMs, 0);
export const endOf = ({ boundariesMs }: CohortWindow): number =>
  at(boundariesMs, boundariesMs.length - 1);
