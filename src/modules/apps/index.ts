export { type CleanupStep, runCleanupStep } from './cleanup.ts';
export { insertNewApp, provisionSoon } from './create.ts';
export {
  activateApp,
  createAppDataset,
  createAppFunnel,
  isAppWanted,
  undoAppProvisioning,
} from './provision.ts';
export { removeApp, selectApp } from './queries.ts';
export { ensureMissingAppRuns, reconcileApps } from './reconcile.ts';
