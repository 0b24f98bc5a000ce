export { watchesChapter } from './chapter.ts';
export { checkWatches } from './check-watches.ts';
export { watchExists } from './queries.ts';
