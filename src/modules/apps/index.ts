export { type CleanupStep, runCleanupStep } from './cleanup.ts';
export { insertNewApp } from './create.ts';
export {
  activateApp,
  createDataset,
  createFirstFunnel,
  isWanted,
  undoProvisioning,
} from './provision.ts';
export { removeApp, selectApp } from './queries.ts';
export { reconcileApps } from './reconcile.ts';
