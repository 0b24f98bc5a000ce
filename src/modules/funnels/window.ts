import { DateTime } from 'luxon';
import { at } from '../../shared/assert.ts';
import { parseBound, calendarBoundaries, startOfDay } from '../../shared/calendar.ts';
import { invalidInput } from '../../shared/errors.ts';
import { isIsoDate } from '../../shared/schema.ts';
import { DAY_MS } from '../../shared/time.ts';
import { daysBack } from '../events/index.ts';
import {
  DEFAULT_WINDOW_DAYS,
  type FunnelParameters,
  type Interval,
  MAX_WINDOW_DAYS,
} from './report-query.ts';

export type ReportWindow = {
  fromMs: number;
  toMs: number;
  /** Exclusive; past a present `toMs` for fast device clocks. */
  startBeforeMs: number;
  days: number;
  timezone: string;
  previousFromMs: number;
};

function explicitWindow(from: string, to: string, timezone: string): ReportWindow {
  const fromMs = parseBound('from', from, timezone);
  const toMs = parseBound('to', to, timezone);
  if (fromMs >= toMs) throw invalidInput('to', 'must be after from');
  const inDates = isIsoDate(from) && isIsoDate(to);
  // In dates: local days have 23 to 25 hours.
  const days = inDates
    ? DateTime.fromISO(to).diff(DateTime.fromISO(from), 'days').days + 1
    : (toMs - fromMs) / DAY_MS;
  if (days > MAX_WINDOW_DAYS) {
    throw invalidInput('from', `must be at most ${MAX_WINDOW_DAYS} days before to`);
  }
  const previousFromMs = inDates ? startOfDay(fromMs, timezone, -days) : fromMs - (toMs - fromMs);
  return { fromMs, toMs, startBeforeMs: toMs, days, timezone, previousFromMs };
}

export function resolveWindow(
  selection: Omit<FunnelParameters, 'timezone'>,
  timezone: string,
  now: Date,
): ReportWindow {
  const { days, from, to } = selection;
  if (from !== undefined || to !== undefined) {
    if (days !== undefined) throw invalidInput('days', 'cannot be combined with from and to');
    if (from === undefined) throw invalidInput('from', 'is required with to');
    if (to === undefined) throw invalidInput('to', 'is required with from');
    return explicitWindow(from, to, timezone);
  }
  const length = days ?? DEFAULT_WINDOW_DAYS;
  const { fromMs, toMs, beforeMs } = daysBack(now, length);
  const previousFromMs = fromMs - length * DAY_MS;
  return { fromMs, toMs, startBeforeMs: beforeMs, days: length, timezone, previousFromMs };
}

export type PreviousWindow = { fromMs: number; toMs: number; observedBeforeMs: number };

export function previousWindow(
  { fromMs, toMs, previousFromMs }: ReportWindow,
  nowMs: number,
): PreviousWindow {
  const observedBeforeMs = Math.max(previousFromMs, fromMs + (nowMs - toMs));
  return { fromMs: previousFromMs, toMs: fromMs, observedBeforeMs };
}

/** In milliseconds. */
export type TrendInterval = {
  startMs: number;
  isPartial: boolean;
};

export function trendIntervals(
  window: ReportWindow,
  interval: Interval,
  nowMs: number,
): TrendInterval[] {
  const { fromMs, toMs, timezone } = window;
  const bounds = calendarBoundaries(window, interval, timezone);
  return bounds.slice(0, -1).map((startMs, index) => {
    const endMs = at(bounds, index + 1);
    return { startMs, isPartial: startMs < fromMs || endMs > Math.min(toMs, nowMs) };
  });
}
