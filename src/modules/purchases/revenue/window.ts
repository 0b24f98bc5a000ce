import { outside } from '../../../shared/assert.ts';
import { calendarBoundaries, startOfDate } from '../../../shared/calendar.ts';
import { invalidInput } from '../../../shared/errors.ts';
import { addDays, daysBetween } from '../../../shared/pacific.ts';
import { DateTime } from 'luxon';
import { DAYS_MAX, DEFAULT_DAYS, type RevenueInterval, type WindowInput } from './model.ts';

/** `from` and `to` are days of the zone; the last interval may be unfinished. */
export type RevenueWindow = {
  from: string;
  to: string;
  timezone: string;
  boundariesMs: readonly number[];
  nowMs: number;
};

export const dayIn = (ms: number, timezone: string): string =>
  DateTime.fromMillis(ms, { zone: timezone }).toFormat('yyyy-MM-dd');

/** Throws `invalid_input`. */
export function resolveDays(
  { from: first, to: last, days }: Pick<WindowInput, 'days' | 'from' | 'to'>,
  today: string,
  usual: number,
) {
  if (days !== undefined && (first !== undefined || last !== undefined)) {
    throw invalidInput('days', 'give either days or from and to, not both');
  }
  const to = last ?? today;
  const from = first ?? addDays(to, 1 - (days ?? usual));
  if (from > to) throw invalidInput('from', 'must not be after to');
  if (to > today) throw invalidInput('to', 'must not be after today');
  return { from, to };
}

/** Intervals cut at both ends of the window. */
function boundariesOf(fromMs: number, toMs: number, interval: RevenueInterval, timezone: string) {
  const whole = calendarBoundaries({ fromMs, toMs }, interval, timezone);
  return [fromMs, ...whole.filter((ms) => ms > fromMs && ms < toMs), toMs];
}

export function resolveRevenueWindow(
  input: WindowInput,
  timezone: string,
  now: Date,
): RevenueWindow {
  const { interval = 'day' } = input;
  const nowMs = now.getTime();
  const { from, to } = resolveDays(input, dayIn(nowMs, timezone), DEFAULT_DAYS);
  if (daysBetween(from, to) >= DAYS_MAX) {
    throw invalidInput('from', `at most ${DAYS_MAX} days lie between from and to`);
  }
  const fromMs = startOfDate(from, timezone);
  const toMs = startOfDate(to, timezone, 1);
  const boundariesMs = boundariesOf(fromMs, toMs, interval, timezone);
  return { from, to, timezone, boundariesMs, nowMs };
}

/** The interval that holds the instant; -1 before the first, their number after the last. */
export function intervalOf(boundariesMs: readonly number[], ms: number): number {
  let low = 0;
  let high = boundariesMs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((boundariesMs[middle] ?? outside()) <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
