import { addDays, dayOf } from './days.ts';
import type { PeopleDays } from './people-days.ts';

type Figure = number | null;
type Cohorts = {
  timezone: string;
  window: { from: string };
  cohorts: readonly { from: string; people: number }[];
};

export function newPeopleDays(
  { timezone, window, cohorts }: Cohorts,
  people: PeopleDays,
): PeopleDays {
  const dayIn = (iso: string) => dayOf(Date.parse(iso), timezone);
  const first = dayIn(window.from);
  const counts = new Map(cohorts.map((cohort) => [dayIn(cohort.from), cohort.people]));
  const on = (day: string): Figure => {
    const isBefore = people.firstDay !== null && day < people.firstDay;
    return day < first || isBefore ? null : (counts.get(day) ?? 0);
  };
  const isKnown = (at: number) => people.values[at] !== null;
  return {
    ...people,
    values: people.days.map((day, at) => (isKnown(at) ? on(day) : null)),
    weekEarlier: people.days.map((day) => on(addDays(day, -7))),
  };
}
