import type { Chapter } from '../../chapter.ts';

export const sqlChapter: Chapter = { name: 'sql', tables: ['sql_queries'] };
