import type { Chapter } from '../../chapter.ts';
import { removeApp } from './queries.ts';
import { ensureMissingAppRuns, reconcileApps } from './reconcile.ts';

export const appsChapter: Chapter = {
  name: 'apps',

  tables: ['app_datasets', 'app_limits', 'apps'],
  cleanup: { name: 'app', run: ({ deps }, app) => removeApp(deps.sql, app) },
  ensureMissingRuns: ensureMissingAppRuns,
  reconcile: reconcileApps,
};
