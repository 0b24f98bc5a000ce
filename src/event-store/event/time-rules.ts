import { isIsoDateTime } from '../../shared/schema.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/time.ts';
import type { TimeFlag } from './columns.ts';

const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
/** Beyond this, the device's clock is wrong. */
const AHEAD_US = 10 * MINUTE_MS * US_PER_MS;
/** No client keeps a queue for longer. */
const TOO_OLD_US = 400 * DAY_MS * US_PER_MS;

const FRACTION = /\.(\d+)/;
/** The usual client form, which `Date` parses exactly. */
const MILLISECONDS_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const LOWER_CASE = /[tz]/g;
const LEAP_SECOND = /^(.{16}):60/;

const toMicroseconds = (ms: number) => (Number.isNaN(ms) ? null : ms * US_PER_MS);

/** RFC 3339 allows lower case and leap seconds; `Date` does not. */
function readable(text: string): { text: string; addedUs: number } {
  const upper = text.replace(LOWER_CASE, (letter) => letter.toUpperCase());
  const isLeapSecond = LEAP_SECOND.test(upper);
  return isLeapSecond
    ? { text: upper.replace(LEAP_SECOND, '$1:59'), addedUs: US_PER_SECOND }
    : { text: upper, addedUs: 0 };
}

export function isEventTime(text: string): boolean {
  return isIsoDateTime(text) || isIsoDateTime(readable(text).text);
}

/** Truncated; null unless an ISO 8601 date-time with offset. */
export function parseMicroseconds(sent: string): number | null {
  if (MILLISECONDS_UTC.test(sent)) return toMicroseconds(Date.parse(sent));
  const { text, addedUs } = readable(sent);
  const fraction = FRACTION.exec(text);
  const whole = fraction ? text.replace(fraction[0], '') : text;
  const start = toMicroseconds(Date.parse(whole));
  if (start === null) return null;
  const micros = fraction?.[1] ? Number(fraction[1].slice(0, 6).padEnd(6, '0')) : 0;
  return start + micros + addedUs;
}

export type EventTime = { occurredAtUs: number; timeFlag: TimeFlag | null };

type Shift = {
  /** Covers queues of up to 400 days from the first time ahead. */
  byUs: number;
  queueEndUs: number;
  /** Newest unshifted time, to preserve order. */
  notBeforeUs: number;
};

function findShift(times: readonly (number | null)[], receivedAtUs: number): Shift | null {
  let firstAheadUs = Infinity;
  let notBeforeUs = -Infinity;
  for (const time of times) {
    if (time === null) continue;
    if (time - receivedAtUs > AHEAD_US) firstAheadUs = Math.min(firstAheadUs, time);
    else notBeforeUs = Math.max(notBeforeUs, time);
  }
  if (firstAheadUs === Infinity) return null;
  const queueEndUs = firstAheadUs + TOO_OLD_US;
  const newestUs = times.reduce<number>(
    (max, time) => (time !== null && time <= queueEndUs ? Math.max(max, time) : max),
    firstAheadUs,
  );
  return { byUs: newestUs - receivedAtUs, queueEndUs, notBeforeUs };
}

/** The rules of docs/events.md. */
export function eventTimes(
  sent: readonly (string | undefined)[],
  receivedAtMs: number,
): EventTime[] {
  const receivedAtUs = receivedAtMs * US_PER_MS;
  const times = sent.map((ts) => (ts === undefined ? null : parseMicroseconds(ts)));
  const shift = findShift(times, receivedAtUs);
  return times.map((time): EventTime => {
    if (time === null) return { occurredAtUs: receivedAtUs, timeFlag: 'no_ts' };
    if (shift && time - receivedAtUs > AHEAD_US) {
      const moved = time > shift.queueEndUs ? receivedAtUs : time - shift.byUs;
      return { occurredAtUs: Math.max(moved, shift.notBeforeUs), timeFlag: 'shifted' };
    }
    if (receivedAtUs - time > TOO_OLD_US) {
      return { occurredAtUs: receivedAtUs, timeFlag: 'too_old' };
    }
    return { occurredAtUs: time, timeFlag: null };
  });
}
