export { type CleanupStep, runCleanupStep } from './cleanup.ts';
export { insertNewApp, provisionSoon } from './create.ts';
export {
  activateApp,
  createDataset,
  createFirstFunnel,
  isWanted,
  undoProvisioning,
} from './provision.ts';
export { removeApp, selectApp } from './queries.ts';
export { ensureMissingAppRuns, reconcileApps } from './reconcile.ts';
