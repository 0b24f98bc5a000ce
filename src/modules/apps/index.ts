export { appsChapter } from './chapter.ts';
export { runCleanupStep } from './cleanup.ts';
export { insertNewApp, provisionSoon } from './create.ts';
export { listApps } from './list.ts';
export {
  activateApp,
  createAppDataset,
  createAppFunnel,
  isAppWanted,
  undoAppProvisioning,
} from './provision.ts';
export { selectApp } from './queries.ts';
export { recoverApps } from './recover.ts';
