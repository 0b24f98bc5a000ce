import type { SystemContext } from '../../../context.ts';
import { appDeletionContract } from '../../../temporal/contracts/apps.ts';
import type { OrganizationRunInput } from '../../../temporal/contracts/organizations.ts';
import { hideApps, isUnfinished, listAppIds } from './queries.ts';

/**
 * Starts the deletion of every app that is still there, also of one that was made in the last
 * moment. Returns how many there are.
 */
export async function deleteApps(
  { deps }: SystemContext,
  { orgId }: OrganizationRunInput,
): Promise<number> {
  if (!(await isUnfinished(deps.sql, orgId))) return 0;
  await hideApps(deps.sql, orgId, deps.clock());
  const appIds = await listAppIds(deps.sql, orgId);
  for (const appId of appIds) {
    const scope = { orgId, appId };
    await deps.temporal.start(appDeletionContract, scope, scope);
  }
  return appIds.length;
}
