export type { Answer } from './answer.model.ts';
export { answerQuestion } from './answer.ts';
export { questionsChapter } from './chapter.ts';
export { Question } from './model.ts';
export { lockQuestion, questionExists } from './queries.ts';
export type { SavedQuestion } from './saved.model.ts';
export { listQuestions, readQuestion } from './saved.ts';
