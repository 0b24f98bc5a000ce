import { exactNumber } from '../format.ts';
import { counted } from './counted.ts';

const peopleOf = (people: number) => counted(people, 'person', 'people');

export const chart = {
  day: 'Day',
  minute: 'Minute',
  hour: 'Hour',
  week: 'Week',
  month: 'Month',
  marks: 'Marks',
  price: (change: string) => `Price ${change}`,
  kind: 'time chart',
  weekOf: (day: string) => `Week of ${day}`,
  soFar: (figure: string) => `${figure} so far`,
  against: (day: string) => `vs ${day}`,
  nothing: 'No data',
  low: (name: string) => `${name}, low`,
  high: (name: string) => `${name}, high`,
  keys: 'Arrow keys move through the days, Enter opens one, T opens the table.',
  asTable: 'Show as a table',
  png: 'PNG',
  asTableOf: (title: string) => `${title} as a table`,
  marksOf: (labels: string) => `Marks: ${labels}`,
  chosen: (from: string, to: string) => `${from} – ${to}`,
  stepNumber: (step: number, name: string) => `${step}  ${name}`,
  stepPeople: (people: number) => peopleOf(people),
  stepShare: (people: number, share: string) => `${peopleOf(people)}, ${share} of all`,
  stoppedBefore: (people: number) => `${exactNumber(people)} stopped before`,
  biggestStop: (people: number) => `${exactNumber(people)} stopped before, the biggest leak`,
  biggestLeak: 'biggest leak',
  left: (people: number) => `${exactNumber(people)} left`,
  leftBefore: (people: number, step: string) => `${exactNumber(people)} left before ${step}`,
  reached: (group: string, step: string, people: number, share: string) =>
    `${group}: ${peopleOf(people)} reached ${step}, ${share}`,
  reachedStep: (step: string, people: number) => `${peopleOf(people)} reached ${step}`,
  lost: (group: string, step: string, people: number) =>
    `${group}: ${peopleOf(people)} stopped before ${step}`,
  lostBefore: (step: string, people: number) => `${peopleOf(people)} stopped before ${step}`,
  step: 'Step',
  amount: 'Amount',
  count: 'Count',
  people: 'People',
  of: (name: string, value: string) => `${name}: ${value}`,
  countOf: (people: number, of: number) => `${exactNumber(people)} of ${exactNumber(of)}`,
  rowOf: (name: string, people: number) => `${name}: ${peopleOf(people)}`,
} as const;
