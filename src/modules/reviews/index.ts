export { reviewsChapter } from './chapter.ts';
export { collectReviews } from './collect.ts';
export { type ReviewChange, readReviewChange } from './summary.ts';
export { noteEnd, noteTry } from './checks-queries.ts';
export { upsertReviews } from './queries.ts';
