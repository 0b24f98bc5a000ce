import { exactNumber } from '../format.ts';

export const notes = {
  title: 'What happened',
  add: 'Add a note',
  day: 'Day',
  save: 'Save the note',
  why: 'It stands as a mark above every chart of this app.',
  remove: 'Remove',
  removeOf: (text: string) => `Remove the note “${text}”`,
  none: (days: string) => `Nothing is known of ${days}.`,
  marks: (count: number, days: string) =>
    `${exactNumber(count)} ${count === 1 ? 'mark' : 'marks'}, ${days}`,
} as const;
