export { logsChapter } from './chapter.ts';
export { createPartitionedInsert } from './ingest.ts';
export { LogWriter } from './log-writer.ts';
