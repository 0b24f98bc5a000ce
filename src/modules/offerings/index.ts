export { offeringsChapter } from './chapter.ts';
export { createOfferings } from './kept.ts';
