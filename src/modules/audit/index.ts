export { announceEntry } from './announce.ts';
export { auditChapter } from './chapter.ts';
