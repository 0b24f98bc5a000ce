import { exactNumber } from '../format.ts';
import { counted, eventsRead } from './counted.ts';

const UNITS = { day: 'day', week: 'week', month: 'month' } as const;
type Unit = keyof typeof UNITS;

export const retention = {
  title: 'Retention',
  question: 'Do people come back?',
  period: {
    day: (number: number) => `Day ${number}`,
    week: (number: number) => `Week ${number}`,
    month: (number: number) => `Month ${number}`,
  },
  orLater: {
    day: (number: number) => `on day ${number} or later`,
    week: (number: number) => `in week ${number} or later`,
    month: (number: number) => `in month ${number} or later`,
  },
  after: {
    day: (number: number) => `on day ${number}`,
    week: (number: number) => `in week ${number}`,
    month: (number: number) => `in month ${number}`,
  },
  periods: { day: 'Day', week: 'Week', month: 'Month' },
  clockName: 'How periods are counted',
  clocks: { calendar: 'Calendar days', hours: '24-hour periods' },
  clockDetails: {
    calendar: 'Days of the app’s zone; weeks begin on Monday',
    hours: '24 hours each, from everybody’s own start',
  },
  who: {
    first: (event: string) => (event ? `people with their first ${event}` : 'new people'),
    recurring: (event: string, unit: Unit) =>
      event ? `people with ${event} in a ${UNITS[unit]}` : `people active in a ${UNITS[unit]}`,
  },
  came: (event: string) => (event ? `came back with ${event}` : 'came back'),
  sentence: (rate: string, who: string, after: string, later: string) =>
    `${rate} of ${who} ${after}${later && `, ${later}`}.`,
  triangle: 'Who came back',
  triangleSub: (cohort: 'first' | 'recurring', unit: Unit) =>
    cohort === 'first' ? `by ${UNITS[unit]} of the first time` : `by ${UNITS[unit]}`,
  heads: { first: 'First seen', recurring: 'Active in' },
  people: 'People',
  mean: 'Mean',
  soFar: (cohort: string) => `${cohort}, so far`,
  curve: 'How many are still there',
  curveSub: 'the mean with its 95% interval, and a thin line for each cohort',
  clickLine: 'Click a line for its people',
  behind: (cohort: string) => `People of ${cohort}`,
  behindPeriod: (cohort: string, after: string) => `People of ${cohort} who came back ${after}`,
  tooFew: (people: number, minimum: number) =>
    `${exactNumber(people)} of ${counted(minimum, 'person', 'people')}.`,
  sizesOnly: 'No rate is drawn from so few; the sizes are below.',
  none: 'Nobody began in this range',
  noneWhy: 'Choose a longer range, or another event that starts.',
  foot: {
    unfinished: 'A period that is not over is empty, never 0',
    mean: 'The mean is of cohorts that have finished the period',
    few: (minimum: number) => `Under ${counted(minimum, 'person', 'people')}: counts, no rate`,
    hours: 'Periods from everybody’s own start',
    through: (zone: string, last: string, from?: number) =>
      `${zone} days, ${eventsRead(from)} through ${last}`,
  },
} as const;
