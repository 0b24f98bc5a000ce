/** Without a zone: only which one is today depends on it. */
const DAY_MS = 86_400_000;
const PATTERN = /^\d{4}-\d{2}-\d{2}$/;

export type Days = { from: string; to: string };

const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`);

export const addDays = (day: string, count: number): string =>
  new Date(midnight(day) + count * DAY_MS).toISOString().slice(0, 10);

/** The first day of the month that comes so many later. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + count, 1)).toISOString().slice(0, 10);
}

export const daysBetween = (from: string, to: string): number =>
  Math.round((midnight(to) - midnight(from)) / DAY_MS);

export const lengthOf = ({ from, to }: Days): number => daysBetween(from, to) + 1;

export const isDay = (text: string): boolean =>
  PATTERN.test(text) && !Number.isNaN(midnight(text)) && addDays(text, 0) === text;

export function earlier(one: string, other: string): string {
  if (one < other) return one;
  return other;
}

export function later(one: string, other: string): string {
  if (one > other) return one;
  return other;
}

export const daysBefore = (days: Days): Days => ({
  from: addDays(days.from, -lengthOf(days)),
  to: addDays(days.from, -1),
});

export const dayOf = (ms: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone,
  }).format(ms);

/** The store's days are cut in this zone. */
export const STORE_ZONE = 'America/Los_Angeles';
