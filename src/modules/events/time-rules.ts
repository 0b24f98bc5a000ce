import { DAY_MS, MINUTE_MS } from '../../shared/time.ts';
import type { TimeFlag } from './columns.ts';

const US_PER_MS = 1_000;
/** Further ahead than this, the device's clock is wrong rather than the network quick. */
const AHEAD_US = 10 * MINUTE_MS * US_PER_MS;
const TOO_OLD_US = 400 * DAY_MS * US_PER_MS;

const FRACTION = /\.(\d+)/;
/** What nearly every client sends, and what `Date` reads to the digit. */
const MILLISECONDS_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const inMicroseconds = (ms: number) => (Number.isNaN(ms) ? null : ms * US_PER_MS);

/**
 * Microseconds since 1970 of an ISO 8601 date-time with an offset, finer digits cut off; null when
 * it is no such text.
 */
export function parseMicroseconds(text: string): number | null {
  if (MILLISECONDS_UTC.test(text)) return inMicroseconds(Date.parse(text));
  const fraction = FRACTION.exec(text);
  const whole = fraction ? text.replace(fraction[0], '') : text;
  const start = inMicroseconds(Date.parse(whole));
  if (start === null) return null;
  const micros = fraction?.[1] ? Number(fraction[1].slice(0, 6).padEnd(6, '0')) : 0;
  return start + micros;
}

export type EventTime = { occurredAtUs: number; timeFlag: TimeFlag | null };

/**
 * When the events of one batch occurred, from the times as sent (design §5, Time). A batch whose
 * newest time is more than ten minutes ahead of receipt is shifted back as a whole, so that order
 * and gaps survive; an event without a time, or older than 400 days, occurs at receipt.
 */
export function eventTimes(
  sent: readonly (string | undefined)[],
  receivedAtMs: number,
): EventTime[] {
  const receivedAtUs = receivedAtMs * US_PER_MS;
  const times = sent.map((ts) => (ts === undefined ? null : parseMicroseconds(ts)));
  const newestUs = times.reduce<number>((max, time) => Math.max(max, time ?? max), -Infinity);
  const shiftUs = newestUs - receivedAtUs > AHEAD_US ? newestUs - receivedAtUs : 0;
  return times.map((time) => {
    if (time === null) return { occurredAtUs: receivedAtUs, timeFlag: 'no_ts' };
    const occurredAtUs = time - shiftUs;
    if (receivedAtUs - occurredAtUs > TOO_OLD_US) {
      return { occurredAtUs: receivedAtUs, timeFlag: 'too_old' };
    }
    return { occurredAtUs, timeFlag: shiftUs > 0 ? 'shifted' : null };
  });
}
