import { startMs } from './days.ts';
import type { DayState } from './types.ts';

/** `weekday` 0 is Monday. */
export type CalendarDay = { day: string; state: DayState; weekday: number };

const weekdayOf = (day: string): number => (new Date(startMs(day)).getUTCDay() + 6) % 7;

/** The first and the last can be short. */
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

export function calendarBlocks(
  days: readonly { day: string; state: DayState }[],
  rows: number,
): CalendarDay[][][] {
  const weeks = calendarWeeks(days);
  const length = Math.ceil(weeks.length / rows);
  return Array.from({ length: rows }, (_, row) => weeks.slice(row * length, (row + 1) * length));
}

export function monthStarts(weeks: readonly (readonly CalendarDay[])[], apart: number): number[] {
  const monthOf = (column: number) => weeks[column]?.[0]?.day.slice(0, 'YYYY-MM'.length);
  const starts = [...weeks.keys()].filter((column) => monthOf(column) !== monthOf(column - 1));
  const roomy = starts.filter((column, index) => {
    const next = starts[index + 1] ?? weeks.length;
    return index > 0 || next - column >= apart;
  });
  const named: number[] = [];
  for (const column of roomy) {
    const last = named.at(-1);
    const fits = column <= weeks.length - apart / 2;
    if (fits && (last === undefined || column - last >= apart)) named.push(column);
  }
  return named;
}
