import { at } from '../../../shared/assert.ts';
import {
  type CalendarInterval,
  calendarBoundaries,
  parseBound,
  startOfDay,
} from '../../../shared/calendar.ts';
import { invalidInput } from '../../../shared/errors.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { MAX_WINDOW_DAYS, type WindowParameters } from '../parameters.model.ts';

/** Intervals of the app's zone, as indexes into `boundariesMs`; the last boundary is the end. */
export type Buckets = {
  boundariesMs: readonly number[];
  first: number;
  /** Finished ones of the window; the next, if any, is partial. */
  finished: number;
  count: number;
};

export type Window = { fromMs: number; toMs: number; nowMs: number; timezone: string };

export function resolveWindow(
  { days, from, to }: WindowParameters,
  defaultDays: number,
  timezone: string,
  now: Date,
): Window {
  const nowMs = now.getTime();
  if (from === undefined && to === undefined) {
    const fromMs = startOfDay(nowMs, timezone, -(days ?? defaultDays));
    return { fromMs, toMs: nowMs + 1, nowMs, timezone };
  }
  if (days !== undefined) throw invalidInput('days', 'cannot be combined with from and to');
  if (from === undefined) throw invalidInput('from', 'is required with to');
  if (to === undefined) throw invalidInput('to', 'is required with from');
  const fromMs = parseBound('from', from, timezone);
  const toMs = parseBound('to', to, timezone);
  if (fromMs >= toMs) throw invalidInput('to', 'must be after from');
  if (fromMs > nowMs) throw invalidInput('from', 'must not lie in the future');
  if (toMs - fromMs > (MAX_WINDOW_DAYS + 1) * DAY_MS) {
    throw invalidInput('from', `must be at most ${MAX_WINDOW_DAYS} days before to`);
  }
  return { fromMs, toMs: Math.min(toMs, nowMs + 1), nowMs, timezone };
}

/** Preceded by as many finished ones and `lookback` more. */
export function toBuckets(
  window: Window,
  interval: CalendarInterval,
  { compare = false, lookback = 0 } = {},
): Buckets {
  const own = calendarBoundaries(window, interval, window.timezone);
  const count = own.length - 1;
  const finished = own.slice(1).filter((end) => end <= window.nowMs).length;
  const before = (compare ? finished : 0) + lookback;
  const boundariesMs = calendarBoundaries(window, interval, window.timezone, before);
  return { boundariesMs, first: boundariesMs.length - 1 - count, finished, count };
}

export const boundaryIso = ({ boundariesMs }: Buckets, bucket: number): string =>
  new Date(at(boundariesMs, bucket)).toISOString();
