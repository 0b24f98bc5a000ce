export { demoChapter } from './chapter.ts';
export { insertDemo, selectDemoListener, selectDemos } from './queries.ts';
