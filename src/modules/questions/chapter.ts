import type { Chapter } from '../../chapter.ts';

/** Deleted with the app's row. */
export const questionsChapter: Chapter = { name: 'questions', tables: ['saved_questions'] };
