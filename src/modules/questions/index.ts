export { questionsChapter } from './chapter.ts';
export { questionExists } from './queries.ts';
