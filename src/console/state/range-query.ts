import { addDays, type Days, dayOf, daysBetween, earlier, lengthOf, STORE_ZONE } from './days.ts';
import type { Resolved } from './ranges.ts';

/** How far back routes look that take only `days`. */
const MAX_DAYS = 400;
/** From the first cohort to now. */
const MAX_COHORTS = 62;

const datesOf = ({ from, to }: Days): Days => ({ from, to });

export function seriesQuery(range: Resolved): { days: number } | Days {
  return typeof range.preset === 'number' ? { days: range.preset } : datesOf(range);
}

/** Dates: their `days` are so many times 24 hours. */
export const funnelQuery = (range: Resolved): Days => datesOf(range);

export const marksQuery = (range: Resolved): Days => ({
  from: range.from,
  to: typeof range.preset === 'number' ? range.today : range.to,
});

export type RetentionInterval = 'day' | 'week' | 'month';

export function retentionIntervals({ from, today }: Resolved): RetentionInterval[] {
  const days = daysBetween(from, today) + 1;
  const fits: RetentionInterval[] = [];
  if (days <= MAX_COHORTS) fits.push('day');
  // Weeks begin on Monday, so one may be cut at each side.
  if (Math.ceil(days / 7) + 1 <= MAX_COHORTS) fits.push('week');
  fits.push('month');
  return fits;
}

export type SeriesInterval = 'hour' | 'day' | 'week' | 'month';

export function seriesIntervals(range: Days): SeriesInterval[] {
  const days = lengthOf(range);
  if (days <= 2) return ['hour', 'day'];
  return days <= 8 ? ['hour', 'day', 'week'] : ['day', 'week', 'month'];
}

/** So many that the range is in them. */
export const backQuery = ({ from, today }: Resolved): { days: number } => ({
  days: Math.min(MAX_DAYS, daysBetween(from, today) + 1),
});

function endedBy({ from, to }: Days, last: string): Days {
  // It has not begun there yet: its days are empty.
  return { from, to: to > last && from <= last ? last : to };
}

/** Pacific days, yesterday the last; compared with as many. */
export function salesQuery(range: Resolved, nowMs: number = Date.now()): Days {
  return endedBy(range, addDays(dayOf(nowMs, STORE_ZONE), -1));
}

/** Subscribers: UTC days, none of them in the future. */
export function purchasesQuery(range: Resolved, nowMs: number = Date.now()): Days {
  const today = dayOf(nowMs, 'UTC');
  return { from: earlier(range.from, today), to: earlier(range.to, today) };
}
