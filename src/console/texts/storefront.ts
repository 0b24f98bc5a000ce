import { counted } from './counted.ts';

export const storefront = {
  title: 'Store page',
  question: 'What do people say of my app in the store?',
  versions: 'Reviews by version',
  versionsWhy:
    'The store does not tell the version of a review: it is the one on sale when it was written.',
  version: 'Version',
  since: 'On sale from',
  madeThen: 'made then',
  reviews: 'Reviews',
  mean: 'Mean',
  before: 'Against before',
  beyond: 'beyond chance',
  chance: 'within chance',
  list: 'Written reviews',
  none: 'No reviews yet',
  noneWhy: 'They are collected hourly once this app is linked to a store app under Store.',
  checked: 'Read',
  rating: 'Rating',
  review: 'Review',
  from: 'From',
  written: 'Written',
  stars: (rating: number) => counted(rating, 'star', 'stars'),
} as const;
