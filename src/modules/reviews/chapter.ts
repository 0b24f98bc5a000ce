import type { Chapter } from '../../chapter.ts';
import { deleteChecksOfApp } from './checks-queries.ts';
import { forgetReviews } from './reconcile.ts';

export const reviewsChapter: Chapter = {
  name: 'reviews',
  tables: ['store_review_checks', 'store_reviews'],
  cleanup: {
    name: 'store reviews',
    run: ({ deps }, app) => deleteChecksOfApp(deps.sql, app),
  },
  reconcile: forgetReviews,
};
