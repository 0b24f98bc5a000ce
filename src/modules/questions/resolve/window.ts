import { at } from '../../../shared/assert.ts';
import {
  type CalendarInterval,
  calendarBoundaries,
  parseBound,
  startOfDay,
} from '../../../shared/calendar.ts';
import { invalidInput } from '../../../shared/errors.ts';
import { DAY_MS } from '../../../shared/time.ts';
import type { Resolved } from './resolved.ts';
import { MAX_WINDOW_DAYS, type Windowed } from './window.model.ts';

/** Intervals of the app's zone, as indexes into `boundariesMs`; the last boundary is the end. */
export type Buckets = {
  boundariesMs: readonly number[];
  first: number;
  /** Finished ones of the window; the next, if any, is partial. */
  finished: number;
  count: number;
};

export type Window = { fromMs: number; toMs: number; nowMs: number; timezone: string };

export const DEFAULT_WINDOW_DAYS = 28;
const DEFAULT_DAYS: Readonly<Record<CalendarInterval, number>> = {
  hour: 2,
  day: DEFAULT_WINDOW_DAYS,
  week: 12 * 7,
  month: 364,
};
const MAX_BUCKETS = 900;

/** Null where neither is given. */
export function parseBounds(
  { days, from, to }: Windowed,
  timezone: string,
): { fromMs: number; toMs: number } | null {
  if (from === undefined && to === undefined) return null;
  if (days !== undefined) throw invalidInput('days', 'cannot be combined with from and to');
  if (from === undefined) throw invalidInput('from', 'is required with to');
  if (to === undefined) throw invalidInput('to', 'is required with from');
  const fromMs = parseBound('from', from, timezone);
  const toMs = parseBound('to', to, timezone);
  if (fromMs >= toMs) throw invalidInput('to', 'must be after from');
  return { fromMs, toMs };
}

export const refuseLongWindow = () =>
  invalidInput('from', `must be at most ${MAX_WINDOW_DAYS} days before to`);

export function resolveWindow(
  windowed: Windowed,
  defaultDays: number,
  timezone: string,
  now: Date,
): Window {
  const nowMs = now.getTime();
  const bounds = parseBounds(windowed, timezone);
  if (bounds === null) {
    const fromMs = startOfDay(nowMs, timezone, -(windowed.days ?? defaultDays));
    return { fromMs, toMs: nowMs + 1, nowMs, timezone };
  }
  const { fromMs, toMs } = bounds;
  if (fromMs > nowMs) throw invalidInput('from', 'must not lie in the future');
  if (toMs - fromMs > (MAX_WINDOW_DAYS + 1) * DAY_MS) throw refuseLongWindow();
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

/** For a question by intervals; refuses more than `most`. */
export function resolveBuckets(
  {
    question,
    timezone,
    now,
  }: Pick<Resolved<Windowed & { interval?: CalendarInterval }>, 'now' | 'question' | 'timezone'>,
  { most = MAX_BUCKETS, ...before }: { most?: number; compare?: boolean; lookback?: number } = {},
): Buckets {
  const { interval = 'day' } = question;
  const window = resolveWindow(question, DEFAULT_DAYS[interval], timezone, now);
  const buckets = toBuckets(window, interval, before);
  if (buckets.boundariesMs.length <= most) return buckets;
  throw invalidInput('interval', 'makes too many points; use a longer one or fewer days');
}

export const toMicros = (ms: readonly number[]): number[] => ms.map((one) => one * 1_000);

export const boundaryIso = ({ boundariesMs }: Buckets, bucket: number): string =>
  new Date(at(boundariesMs, bucket)).toISOString();
