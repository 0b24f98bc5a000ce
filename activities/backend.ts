import type { Deps } from '../src/deps.ts';
import { claimBackend } from '../src/modules/backend/claim.ts';
import {
  attachBackend,
  checkBackend,
  createBackend,
  readBackend,
  releaseBackend,
  searchBackend,
} from '../src/modules/backend/provision.ts';
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
