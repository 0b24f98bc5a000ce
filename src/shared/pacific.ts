import { DateTime } from 'luxon';
import { DAY_MS } from './time.ts';

/** The time zone of the store's days, which have 23 or 25 hours twice a year. */
export const PACIFIC = 'America/Los_Angeles';

/** The Pacific calendar day (`YYYY-MM-DD`) at an instant. */
export function pacificDay(at: Date): string {
  return DateTime.fromJSDate(at, { zone: PACIFIC }).toFormat('yyyy-MM-dd');
}

/** The instant at which a Pacific wall clock shows this time on this day. */
export function pacificInstant(day: string, hour: number, minute = 0): Date {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return DateTime.fromObject(
    { year, month, day: date, hour, minute },
    { zone: PACIFIC },
  ).toJSDate();
}

/** An instant as ISO 8601 with the Pacific offset in force then. */
export function pacificIso(at: Date): string {
  return DateTime.fromJSDate(at, { zone: PACIFIC }).toFormat("yyyy-MM-dd'T'HH:mm:ssZZ");
}

export function addDays(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** Whole calendar days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** Every day from `from` to `to`, both included, oldest first. */
export function daysOf(from: string, to: string): string[] {
  const count = daysBetween(from, to) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(from, index));
}
