export { marksChapter } from './chapter.ts';
export { listMarks } from './list.ts';
export { Mark } from './model.ts';
export { noteExists } from './queries.ts';
