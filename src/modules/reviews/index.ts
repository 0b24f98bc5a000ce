export { reviewsChapter } from './chapter.ts';
export { collectReviews } from './collect.ts';
export { type ReviewChange, readReviewChange } from './summary.ts';
