import type { Deps } from '../src/context.ts';
import {
  activateApp,
  type CleanupStep,
  createDataset,
  createFirstFunnel,
  isWanted,
  runCleanupStep,
  undoProvisioning,
} from '../src/modules/apps/index.ts';
import type { AppRunInput } from '../src/temporal/contracts/apps.ts';
import { activity } from './activity.ts';

export function createAppActivities(deps: Deps, cleanupSteps: readonly CleanupStep[]) {
  return {
    isAppWanted: activity(deps, isWanted),
    createAppDataset: activity(deps, createDataset),
    createAppFunnel: activity(deps, createFirstFunnel),
    activateApp: activity(deps, activateApp),
    undoAppProvisioning: activity(deps, undoProvisioning),
    appCleanupSteps: async () => cleanupSteps.map(({ name }) => name),
    runAppCleanupStep: activity(deps, (ctx, input: AppRunInput & { step: string }) =>
      runCleanupStep(ctx, cleanupSteps, input),
    ),
  };
}

export type AppActivities = ReturnType<typeof createAppActivities>;
