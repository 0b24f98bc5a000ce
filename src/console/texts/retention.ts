export const retention = {
  title: 'Retention',
  question: 'Do people come back?',
  day: 'By day',
  week: 'By week',
  cohort: 'First seen',
  size: 'People',
  mean: 'Mean',
  few: 'Fewer than fifty people: counts, no rate.',
  meaning:
    'A cohort is everybody whose first event ever lies in the interval. A period that is not over is empty, never 0. The mean counts cohorts that finished the period.',
  verdict: (people: number, minimum: number) =>
    `${people} of ${minimum} people: too few for a rate. The sizes are below.`,
  noData: 'Nobody was seen for the first time in this window.',
} as const;
