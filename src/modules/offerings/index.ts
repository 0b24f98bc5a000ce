import type { Chapter } from '../../chapter.ts';

export { createOfferings } from './kept.ts';

/** Deleted with the app's row. */
export const offeringsChapter: Chapter = { name: 'offerings', tables: ['purchase_offerings'] };
