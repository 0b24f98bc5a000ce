import type { Chapter } from '../../chapter.ts';

/** Deleted with the app's row. */
export const offeringsChapter: Chapter = { name: 'offerings', tables: ['purchase_offerings'] };
