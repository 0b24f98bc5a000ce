export { demoChapter } from './chapter.ts';
export { insertDemo, selectDemos } from './queries.ts';
