import { DateTime } from 'luxon';
import { DAY_MS } from './time.ts';

/** Zone of store days, of 23 or 25 hours twice a year. */
export const PACIFIC = 'America/Los_Angeles';

export function pacificDay(at: Date): string {
  return DateTime.fromJSDate(at, { zone: PACIFIC }).toFormat('yyyy-MM-dd');
}

export function pacificInstant(day: string, hour: number, minute = 0): Date {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return DateTime.fromObject(
    { year, month, day: date, hour, minute },
    { zone: PACIFIC },
  ).toJSDate();
}

/** ISO 8601 with the Pacific offset. */
export function pacificIso(at: Date): string {
  return DateTime.fromJSDate(at, { zone: PACIFIC }).toFormat("yyyy-MM-dd'T'HH:mm:ssZZ");
}

export function addDays(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** Negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** Inclusive, oldest first. */
export function eachDay(from: string, to: string): string[] {
  const count = daysBetween(from, to) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(from, index));
}
