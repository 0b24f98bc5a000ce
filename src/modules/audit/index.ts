export { auditChapter } from './chapter.ts';
