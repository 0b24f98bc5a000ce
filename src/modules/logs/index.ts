export { logsChapter } from './chapter.ts';
export { createLogWrite } from './ingest.ts';
export { createLogBook } from './log-book.ts';
