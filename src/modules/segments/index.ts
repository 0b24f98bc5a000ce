export { segmentsChapter } from './chapter.ts';
export { segmentExists } from './queries.ts';
