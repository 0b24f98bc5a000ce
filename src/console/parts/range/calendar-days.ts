import { addDays, addMonths } from '../../state/days.ts';

const WEEK = 7;
const MONTH_LENGTH = 'YYYY-MM'.length;

export const monthOf = (day: string): string => day.slice(0, MONTH_LENGTH);

/** 0 is Monday. */
const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % WEEK;

const lastDayOf = (month: string): string => addDays(addMonths(month, 1), -1);

/** Null for days of another month. */
export function weeksOf(month: string): (string | null)[][] {
  const first = `${month}-01`;
  const monday = addDays(first, -weekdayOf(first));
  const weeks: (string | null)[][] = [];
  for (let start = monday; start <= lastDayOf(month); start = addDays(start, WEEK)) {
    const days = Array.from({ length: WEEK }, (_, weekday) => addDays(start, weekday));
    weeks.push(days.map((day) => (monthOf(day) === month ? day : null)));
  }
  return weeks;
}

function inMonth(day: string, count: number): string {
  const month = monthOf(addMonths(day, count));
  const last = lastDayOf(month);
  const same = `${month}${day.slice(MONTH_LENGTH)}`;
  return same < last ? same : last;
}

export function dayAfterKey(day: string, key: string, isShift: boolean): string | undefined {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1);
    case 'ArrowRight':
      return addDays(day, 1);
    case 'ArrowUp':
      return addDays(day, -WEEK);
    case 'ArrowDown':
      return addDays(day, WEEK);
    case 'Home':
      return addDays(day, -weekdayOf(day));
    case 'End':
      return addDays(day, WEEK - 1 - weekdayOf(day));
    case 'PageUp':
      return inMonth(day, isShift ? -12 : -1);
    case 'PageDown':
      return inMonth(day, isShift ? 12 : 1);
  }
}
