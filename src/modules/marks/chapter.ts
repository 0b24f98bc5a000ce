import type { Chapter } from '../../chapter.ts';

/** Deleted with the app's row; no data of people but members' own words. */
export const marksChapter: Chapter = { name: 'marks', tables: ['mark_notes'] };
