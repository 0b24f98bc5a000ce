export { logsChapter } from './chapter.ts';
export { createPartitionedInsert } from './ingest.ts';
export { createLogWriter } from './log-writer.ts';
