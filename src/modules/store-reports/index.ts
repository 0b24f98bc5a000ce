export { storeReportsChapter } from './chapter.ts';
export { collectStoreReports } from './collect.ts';
