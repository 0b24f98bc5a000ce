import type { Chapter } from '../../chapter.ts';
import { deleteLogsOfApp, deleteLogsOfPerson, selectLogsOfPerson } from './partition-queries.ts';
import { reconcileLogs } from './reconcile.ts';

export const logsChapter: Chapter = {
  name: 'logs',

  tables: ['log_facets', 'logs'],
  cleanup: { name: 'logs', run: ({ deps }, app) => deleteLogsOfApp(deps.sql, app) },
  erasure: [
    {
      name: 'log entries',
      run: deleteLogsOfPerson,
      records: [{ kind: 'log_entry', read: selectLogsOfPerson }],
    },
  ],
  reconcile: reconcileLogs,
};
