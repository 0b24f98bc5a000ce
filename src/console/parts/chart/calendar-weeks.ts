import { startMs } from './days.ts';
import type { DayState } from './types.ts';

/** `weekday` 0 is Monday. */
export type CalendarDay = { day: string; state: DayState; weekday: number };

const weekdayOf = (day: string): number => (new Date(startMs(day)).getUTCDay() + 6) % 7;

/** Weeks from Monday to Sunday; the first and the last can be short. */
export function calendarWeeks(days: readonly { day: string; state: DayState }[]): CalendarDay[][] {
  const weeks: CalendarDay[][] = [];
  for (const { day, state } of days) {
    const weekday = weekdayOf(day);
    const week = weeks.at(-1);
    if (!week || weekday === 0) weeks.push([{ day, state, weekday }]);
    else week.push({ day, state, weekday });
  }
  return weeks;
}

/** The weeks in as many rows of the picture, the newest last and of the same length. */
export function calendarBlocks(
  days: readonly { day: string; state: DayState }[],
  rows: number,
): CalendarDay[][][] {
  const weeks = calendarWeeks(days);
  const length = Math.ceil(weeks.length / rows);
  return Array.from({ length: rows }, (_, row) => weeks.slice(row * length, (row + 1) * length));
}
