export { storeReportsChapter } from './chapter.ts';
export { collectStoreReports } from './collect.ts';
export { upsertRequest } from './requests-queries.ts';
export { recordFacts } from './store-instance.ts';
