import type { CalendarInterval } from '../../src/shared/calendar.ts';

/** Half hours, forty-five minutes, clocks that change at midnight or by half an hour. */
export const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
] as const;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day of an instant, by the runtime's own calendar. */
function dayIn(timezone: string) {
  const known = formats.get(timezone);
  const format =
    known ??
    new Intl.DateTimeFormat('en-CA', {
      ...{ timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' },
    });
  formats.set(timezone, format);
  return (ms: number): string => format.format(ms);
}

/** The first instant of the local day of `ms`, found by looking a quarter of an hour back at a time. */
function firstOfDay(dayOf: (ms: number) => string, ms: number): number {
  const day = dayOf(ms);
  let start = Math.floor(ms / (15 * MINUTE)) * 15 * MINUTE;
  while (dayOf(start - HOUR) === day) start -= HOUR;
  while (dayOf(start - 15 * MINUTE) === day) start -= 15 * MINUTE;
  return start;
}

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/** Names of the intervals of a zone's calendar: none of the service's own code is in them. */
export function keysOf(timezone: string, interval: CalendarInterval) {
  const dayOf = dayIn(timezone);
  const starts = new Map<string, number>();
  const startOf = (day: string, ms: number): number => {
    const start = starts.get(day) ?? firstOfDay(dayOf, ms);
    starts.set(day, start);
    return start;
  };
  const keyOf = (ms: number): string => {
    const day = dayOf(ms);
    if (interval === 'day') return day;
    if (interval === 'week') return mondayOf(day);
    if (interval === 'month') return day.slice(0, 7);
    const hour = Math.floor((ms - startOf(day, ms)) / HOUR);
    return `${day} ${String(hour).padStart(2, '0')}`;
  };
  return { keyOf, dayOf };
}

/** The intervals of the instants between two, in their order; `asked` are those with one of `days`. */
export function keysBetween(
  timezone: string,
  interval: CalendarInterval,
  { fromMs, toMs, days }: { fromMs: number; toMs: number; days: [string, string] },
): { keys: string[]; asked: string[] } {
  const { keyOf, dayOf } = keysOf(timezone, interval);
  const step = interval === 'hour' ? 15 * MINUTE : 6 * HOUR;
  const keys = new Set<string>();
  const asked = new Set<string>();
  for (let at = Math.floor(fromMs / step) * step; at < toMs + step; at += step) {
    const ms = Math.min(at, toMs);
    const [key, day] = [keyOf(ms), dayOf(ms)];
    keys.add(key);
    if (day >= days[0] && day <= days[1]) asked.add(key);
  }
  return { keys: [...keys], asked: [...asked] };
}
