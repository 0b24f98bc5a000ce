import type { Chapter } from '../../chapter.ts';

/** Deleted with the app's row; no data of people but members' own words. */
export const questionsChapter: Chapter = { name: 'questions', tables: ['saved_questions'] };
