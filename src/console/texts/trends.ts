import { counted } from './counted.ts';

export const trends = {
  title: 'Trends',
  question: 'How many, when, who?',
  interval: 'Interval',
  day: 'By day',
  week: 'By week',
  month: 'By month',
  event: 'Event',
  anyEvent: 'All events',
  breakdown: 'Breakdown',
  people: 'People',
  events: 'Events',
  daily: 'People a day (DAU)',
  weekly: 'In 7 days (WAU)',
  monthly: 'In 28 days (MAU)',
  ratio: 'DAU ÷ MAU',
  ratioMeaning: 'People of the day ÷ people of its 28 days; the mean over the window.',
  peopleMeaning:
    'Distinct people with at least one event whose name does not begin with $. Neither intervals nor values add up to the total. What is not over is drawn, and left out of totals and changes.',
  pick: 'Click a point, or a day of the table, for the people behind it.',
  before: 'against the window before',
  other: 'Other',
  unfinished: 'The last point is not over yet.',
  notes: {
    title: (marks: number) => counted(marks, 'mark', 'marks'),
    day: 'Day',
    text: 'Note',
    add: 'Add a note',
    remove: 'Remove',
  },
} as const;
