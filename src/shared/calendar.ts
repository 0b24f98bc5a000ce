import { DateTime, IANAZone } from 'luxon';
import { invalidInput } from './errors.ts';
import { isInWindows, isIsoDate, isIsoDateTime, WINDOW_RULE } from './schema.ts';
import { HOUR_MS } from './time.ts';

export const CALENDAR_INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type CalendarInterval = (typeof CALENDAR_INTERVALS)[number];

/** Beyond any zone's offset. */
const FARTHEST_MS = 15 * HOUR_MS;
/** Shortest local day. */
const FEWEST_HOURS = 20;

function localDay(ms: number, timezone: string): DateTime {
  const { year, month, day } = DateTime.fromMillis(ms, { zone: timezone });
  return DateTime.utc(year, month, day);
}

/** Midnight may not exist or occur twice; a skipped day is empty. */
function firstInstant(day: DateTime, timezone: string): number {
  const zone = IANAZone.create(timezone);
  const midnight = day.toMillis();
  const offsetMs = (ms: number) => zone.offset(ms) * 60_000;
  const usual = midnight - offsetMs(midnight - offsetMs(midnight));
  const isUsual = offsetMs(usual) === midnight - usual && offsetMs(usual - 1) === midnight - usual;
  if (isUsual) return usual;
  let before = midnight - FARTHEST_MS;
  let reached = midnight + FARTHEST_MS;
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (localDay(middle, timezone).toMillis() >= midnight) reached = middle;
    else before = middle;
  }
  return reached;
}

function* beginnings(first: DateTime, interval: 'day' | 'week' | 'month', stop: number) {
  for (let day = first; ; day = day.plus({ [interval]: 1 })) {
    yield day;
    if (day.toMillis() > stop) return;
  }
}

type Span = { fromMs: number; toMs: number };

/** Weeks start on Monday; hours count from the day's first instant. `before`: earlier intervals. */
export function calendarBoundaries(
  { fromMs, toMs }: Span,
  interval: CalendarInterval,
  timezone: string,
  before = 0,
): number[] {
  const unit = interval === 'hour' ? 'day' : interval;
  const back = interval === 'hour' ? Math.ceil(before / FEWEST_HOURS) : before;
  const first = localDay(fromMs, timezone)
    .startOf(unit)
    .minus({ [unit]: back });
  const days = [...beginnings(first, unit, toMs + FARTHEST_MS)].map((day) =>
    firstInstant(day, timezone),
  );
  const starts = interval === 'hour' ? days.flatMap((day, i) => toHours(day, days[i + 1])) : days;
  const distinct = [...new Set(starts)];
  const holdsFrom = distinct.findLastIndex((start) => start <= fromMs);
  const end = distinct.findIndex((start) => start >= toMs);
  return distinct.slice(Math.max(0, holdsFrom - before), end + 1);
}

function toHours(day: number, next: number | undefined): number[] {
  if (next === undefined) return [];
  const hours = Math.ceil((next - day) / HOUR_MS);
  return Array.from({ length: hours }, (_, hour) => day + hour * HOUR_MS);
}

/** `days` after the local day of `ms`. */
export const startOfDay = (ms: number, timezone: string, days = 0): number =>
  firstInstant(localDay(ms, timezone).plus({ days }), timezone);

/** `date`: `YYYY-MM-DD`. */
export const startOfDate = (date: string, timezone: string, days = 0): number =>
  firstInstant(DateTime.fromISO(date, { zone: 'utc' }).plus({ days }), timezone);

/** As `to`, a date is inclusive and a date-time exclusive. */
export function parseBound(field: 'from' | 'to', text: string, timezone: string): number {
  const isDate = isIsoDate(text);
  if (!isDate && !isIsoDateTime(text)) {
    throw invalidInput(field, 'must be a date such as 2026-11-21 or an ISO 8601 date-time');
  }
  if (!isInWindows(text.slice(0, 10))) throw invalidInput(field, WINDOW_RULE);
  return isDate ? startOfDate(text, timezone, field === 'to' ? 1 : 0) : new Date(text).getTime();
}
