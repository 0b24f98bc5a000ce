import type { Chapter } from '../../chapter.ts';
import { ensureMissingAppRuns, reconcileApps } from './create.ts';
import { removeApp } from './queries.ts';

export { runCleanupStep } from './delete.ts';
export { insertNewApp, provisionSoon } from './create.ts';
export { listApps } from './create.ts';
export {
  activateApp,
  createAppDataset,
  createAppFunnel,
  isAppWanted,
  undoAppProvisioning,
} from './provision.ts';
export { selectApp } from './queries.ts';
export { recoverApps } from './create.ts';

export const appsChapter: Chapter = {
  name: 'apps',

  tables: ['app_datasets', 'app_limits', 'apps'],
  cleanup: { name: 'app', run: ({ deps }, app) => removeApp(deps.sql, app) },
  ensureMissingRuns: ensureMissingAppRuns,
  reconcile: reconcileApps,
};
