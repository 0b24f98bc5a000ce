import { DateTime } from 'luxon';
import { at } from '../../../shared/assert.ts';
import { calendarBoundaries, startOfDay } from '../../../shared/calendar.ts';
import { isIsoDate } from '../../../shared/schema.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { daysBack } from '../../events/index.ts';
import { MAX_WINDOW_DAYS, type Windowed } from '../resolve/window.model.ts';
import { parseBounds, refuseLongWindow } from '../resolve/window.ts';
import { DEFAULT_WINDOW_DAYS, type Interval } from './question.ts';

export type ReportWindow = {
  fromMs: number;
  toMs: number;
  /** Exclusive; past a present `toMs` for fast device clocks. */
  startBeforeMs: number;
  days: number;
  timezone: string;
  previousFromMs: number;
};

export function resolveWindow(windowed: Windowed, timezone: string, now: Date): ReportWindow {
  const bounds = parseBounds(windowed, timezone);
  if (bounds === null) {
    const { days = DEFAULT_WINDOW_DAYS } = windowed;
    const { fromMs, toMs, beforeMs } = daysBack(now, days);
    const previousFromMs = fromMs - days * DAY_MS;
    return { fromMs, toMs, startBeforeMs: beforeMs, days, timezone, previousFromMs };
  }
  const { fromMs, toMs } = bounds;
  const { from = '', to = '' } = windowed;
  const inDates = isIsoDate(from) && isIsoDate(to);
  // In dates: local days have 23 to 25 hours.
  const days = inDates
    ? DateTime.fromISO(to).diff(DateTime.fromISO(from), 'days').days + 1
    : (toMs - fromMs) / DAY_MS;
  if (days > MAX_WINDOW_DAYS) throw refuseLongWindow();
  const previousFromMs = inDates ? startOfDay(fromMs, timezone, -days) : fromMs - (toMs - fromMs);
  return { fromMs, toMs, startBeforeMs: toMs, days, timezone, previousFromMs };
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
