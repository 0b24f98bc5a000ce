import type { Chapter } from '../../chapter.ts';

export { listMarks } from './list.ts';
export { Mark } from './model.ts';
export { noteExists } from './queries.ts';

/** Deleted with the app's row. */
export const marksChapter: Chapter = { name: 'marks', tables: ['mark_notes'] };
