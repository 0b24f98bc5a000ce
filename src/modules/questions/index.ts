import type { Chapter } from '../../chapter.ts';

export type { Answer } from './answer.model.ts';
export { answerQuestion } from './answer.ts';
export { FunnelReport, GroupFigures } from './funnel/answer.model.ts';
export { groupFigures } from './funnel/present.ts';
export { forecastedReport, funnelReport } from './funnel/report.ts';
export { Question } from './model.ts';
export type { SavedQuestion } from './saved/model.ts';
export { listQuestions, lockQuestion, questionExists, readQuestion } from './saved/saved.ts';

/** Deleted with the app's row. */
export const questionsChapter: Chapter = { name: 'questions', tables: ['saved_questions'] };
