import type { Deps } from '../src/context.ts';
import {
  attachBackend,
  checkBackend,
  claimBackend,
  createBackend,
  readBackend,
  releaseBackend,
  searchBackend,
} from '../src/modules/backend/index.ts';
import { activity } from './activity.ts';

export function createBackendActivities(deps: Deps) {
  return {
    claimBackend: activity(deps, claimBackend),
    readBackend: activity(deps, readBackend),
    createBackend: activity(deps, createBackend),
    searchBackend: activity(deps, searchBackend),
    releaseBackend: activity(deps, releaseBackend),
    attachBackend: activity(deps, attachBackend),
    checkBackend: activity(deps, checkBackend),
  };
}

export type BackendActivities = ReturnType<typeof createBackendActivities>;
