export { assignBackend } from './assign.ts';
export { claimBackend, PASSWORD_PURPOSE } from './claim.ts';
export {
  attachBackend,
  checkBackend,
  createBackend,
  readBackend,
  releaseBackend,
  searchBackend,
} from './provision.ts';
export { detachBackend } from './queries.ts';
export { reconcileBackends } from './reconcile.ts';
