import type { Chapter } from '../../chapter.ts';

export { createSqlQuestions } from './client.ts';
export { queryExists } from './saved.ts';
export { tableSql, VIEW_LIST, VIEWS } from './views.ts';

export const sqlChapter: Chapter = { name: 'sql', tables: ['sql_queries'] };
