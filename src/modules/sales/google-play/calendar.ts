import type { PlayReport } from '../../../providers/play-reports/port.ts';
import { addDays, daysBetween } from '../../../shared/pacific.ts';
import type { DayAnswer } from '../days/day-state.ts';
import type { StoredType } from '../days/plan.ts';
import type { MonthOfFiles } from './files-queries.ts';

export const STORED_AS: Readonly<Record<PlayReport, StoredType>> = {
  sales: 'SALES',
  earnings: 'EARNINGS',
  installs: 'INSTALLS',
};

/** Google adds rows to a day for up to a week. */
export const SETTLED_DAYS = 7;
/** From this age on a day without rows counts as zero, whatever the file. */
const UNCLEAR_DAYS = 10;
const HISTORY_MONTHS = 25;

export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);
export const monthOf = (day: string): string => day.slice(0, 7);

/** First day read: two years are compared. */
export function oldestDay(today: string): string {
  const first = new Date(`${monthOf(today)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() - HISTORY_MONTHS);
  return utcDay(first);
}

/** Of a day without rows. */
export function emptyAnswer(
  day: string,
  today: string,
  month: MonthOfFiles | undefined,
): DayAnswer {
  if (month?.isUnread) return 'failed';
  const settled = addDays(day, SETTLED_DAYS);
  if (month && utcDay(month.updatedAt) >= settled) return 'empty';
  return daysBetween(day, today) > UNCLEAR_DAYS ? 'unclear' : 'not_yet';
}
