import type { Chapter } from '../../chapter.ts';
import { deleteLogsOfApp, LOGS_OF_PERSON } from './partition-queries.ts';
import { reconcileLogs } from './reconcile.ts';

export { createPartitionedInsert } from './ingest.ts';
export { LogWriter } from './log-writer.ts';

export const logsChapter: Chapter = {
  name: 'logs',

  tables: ['log_facets', 'logs'],
  cleanup: { name: 'logs', run: ({ deps }, app) => deleteLogsOfApp(deps.sql, app) },
  people: [LOGS_OF_PERSON],
  reconcile: reconcileLogs,
};
