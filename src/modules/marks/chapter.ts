import type { Chapter } from '../../chapter.ts';

/** Notes go with the app's row; what they hold of people is what members wrote. */
export const marksChapter: Chapter = { name: 'marks', tables: ['mark_notes'] };
