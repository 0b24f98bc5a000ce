import type { Deps } from '../src/context.ts';
import { deleteApps, removeRows, stopRuns } from '../src/modules/identity/index.ts';
import { activity } from './activity.ts';

export function createOrganizationActivities(deps: Deps) {
  return {
    deleteOrganizationApps: activity(deps, deleteApps),
    stopOrganizationRuns: activity(deps, stopRuns),
    removeOrganizationRows: activity(deps, removeRows),
  };
}

export type OrganizationActivities = ReturnType<typeof createOrganizationActivities>;
