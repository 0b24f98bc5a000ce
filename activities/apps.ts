import type { Deps } from '../src/deps.ts';
import { cleanupStepNames, runCleanupStep } from '../src/modules/apps/cleanup.ts';
import {
  activateApp,
  createDataset,
  createFirstFunnel,
  isWanted,
  undoProvisioning,
} from '../src/modules/apps/provision.ts';
import { activity } from './activity.ts';

export function createAppActivities(deps: Deps) {
  return {
    isAppWanted: activity(deps, isWanted),
    createAppDataset: activity(deps, createDataset),
    createAppFunnel: activity(deps, createFirstFunnel),
    activateApp: activity(deps, activateApp),
    undoAppProvisioning: activity(deps, undoProvisioning),
    appCleanupSteps: async () => cleanupStepNames(),
    runAppCleanupStep: activity(deps, runCleanupStep),
  };
}

export type AppActivities = ReturnType<typeof createAppActivities>;
