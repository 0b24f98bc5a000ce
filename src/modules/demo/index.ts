export { demoChapter } from './chapter.ts';
export { type DemoOrganization, insertDemo, selectDemoListener, selectDemos } from './queries.ts';
