export { createSqlQuestions } from './client.ts';
