import { counted } from './counted.ts';

export const retention = {
  title: 'Retention',
  question: 'Do people come back?',
  day: 'By day',
  week: 'By week',
  period: {
    day: (number: number) => `Day ${number}`,
    week: (number: number) => `Week ${number}`,
    month: (number: number) => `Month ${number}`,
  },
  cohort: 'First seen',
  size: 'People',
  mean: 'Mean',
  pick: 'Click a number for the people behind it.',
  behind: (cohort: string, period: number | null) =>
    period === null ? `the cohort of ${cohort}` : `period ${period} of the cohort of ${cohort}`,
  few: 'Fewer than fifty people: counts, no rate.',
  meaning:
    'A cohort is everybody whose first event ever lies in the interval. A period that is not over is empty, never 0. The mean counts cohorts that finished the period.',
  verdict: (people: number, minimum: number) =>
    `${people} of ${counted(minimum, 'person', 'people')}: too few for a rate. The sizes are below.`,
  noData: 'Nobody was seen for the first time in this window.',
} as const;
