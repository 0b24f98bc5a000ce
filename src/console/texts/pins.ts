import { counted } from './counted.ts';

export const pins = {
  pin: 'Save view',
  pinned: 'Saved view',
  name: 'Name',
  hint: 'It is a saved question and stands on Today as a card, for everybody of the organization.',
  save: 'Save on Today',
  saved: 'This view stands on Today.',
  unpin: 'Remove from Today',
  full: (views: number) =>
    `Today holds ${counted(views, 'view', 'views')}. Remove one of them first.`,
} as const;
