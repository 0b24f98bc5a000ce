export { marksChapter } from './chapter.ts';
export { noteExists } from './queries.ts';
