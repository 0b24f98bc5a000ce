import type { Chapter } from '../../chapter.ts';
import { deleteChecksOfApp } from './checks-queries.ts';
import { forgetReviews } from './collect.ts';

export { collectReviews } from './collect.ts';
export { type ReviewChange, readReviewChange } from './summary.ts';
export { noteEnd, noteTry } from './checks-queries.ts';
export { upsertReviews } from './queries.ts';

export const reviewsChapter: Chapter = {
  name: 'reviews',
  tables: ['store_review_checks', 'store_reviews'],
  cleanup: {
    name: 'store reviews',
    run: ({ deps }, app) => deleteChecksOfApp(deps.sql, app),
  },
  reconcile: forgetReviews,
};
