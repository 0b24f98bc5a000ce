import type { Chapter } from '../../chapter.ts';
import { ensureWatchChecks, reconcileWatches } from './check-watches.ts';

export { checkWatches } from './check-watches.ts';
export { watchExists } from './queries.ts';

export const watchesChapter: Chapter = {
  name: 'watches',
  tables: ['watch_checks', 'watch_looks', 'watches'],
  ensureMissingRuns: ensureWatchChecks,
  reconcile: reconcileWatches,
};
