import type { Chapter } from '../../chapter.ts';

/** Deleted with the app's row. */
export const marksChapter: Chapter = { name: 'marks', tables: ['mark_notes'] };
