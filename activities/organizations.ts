import type { Deps } from '../src/deps.ts';
import { deleteApps } from '../src/modules/organization-deletion/delete-apps.ts';
import { removeRows } from '../src/modules/organization-deletion/remove-rows.ts';
import { stopRuns } from '../src/modules/organization-deletion/stop-runs.ts';
import { activity } from './activity.ts';

export function createOrganizationActivities(deps: Deps) {
  return {
    deleteOrganizationApps: activity(deps, deleteApps),
    stopOrganizationRuns: activity(deps, stopRuns),
    removeOrganizationRows: activity(deps, removeRows),
  };
}

export type OrganizationActivities = ReturnType<typeof createOrganizationActivities>;
