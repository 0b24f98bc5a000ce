export { assignBackend } from './assign.ts';
export { backendChapter } from './chapter.ts';
export { claimBackend } from './claim.ts';
export {
  attachBackend,
  checkBackend,
  createBackend,
  readBackend,
  releaseBackend,
  searchBackend,
} from './provision.ts';
