import type { SystemContext } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { appDeletionContract } from '../../../temporal/contracts/apps.ts';
import {
  type OrganizationRunInput,
  organizationDeletionContract,
} from '../../../temporal/contracts/organizations.ts';
import { removeRawReports } from '../../sales/index.ts';
import { deleteRows, hideApps, isUnfinished, listAppIds, markFinished } from './queries.ts';

export async function stopOrganizationRuns(
  { deps }: SystemContext<'log' | 'sql' | 'temporal'>,
  { orgId }: OrganizationRunInput,
): Promise<void> {
  if (!(await isUnfinished(deps.sql, orgId))) return;
  const { client } = deps.temporal;
  const own = organizationDeletionContract.workflowId({ orgId });
  const query = `OrgId = ${JSON.stringify(orgId)} AND ExecutionStatus = "Running"`;
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    if (workflowId === own) continue;
    await client.workflow
      .getHandle(workflowId, runId)
      .terminate('The organization was deleted.')
      .catch((error: unknown) => {
        // It may have completed since the listing.
        deps.log.info({ err: error, workflowId }, 'run had completed already');
      });
  }
}

/** Includes apps created at the last moment. Returns their number. */
export async function deleteOrganizationApps(
  { deps }: SystemContext<'clock' | 'sql' | 'temporal'>,
  { orgId }: OrganizationRunInput,
): Promise<number> {
  if (!(await isUnfinished(deps.sql, orgId))) return 0;
  await hideApps(deps.sql, orgId, deps.clock());
  const appIds = await listAppIds(deps.sql, orgId);
  for (const appId of appIds) {
    await deps.temporal.ensure(appDeletionContract, { orgId, appId });
  }
  return appIds.length;
}

/** Throws a permanent `conflict` while an app is left. */
export async function removeOrganizationRows(
  { deps }: SystemContext<'clock' | 'objects' | 'sql'>,
  { orgId }: OrganizationRunInput,
): Promise<void> {
  if (!(await isUnfinished(deps.sql, orgId))) return;
  if ((await listAppIds(deps.sql, orgId)).length > 0) {
    throw new AppError('conflict', 'Apps of this organization are still being deleted.');
  }
  await removeRawReports(deps.objects, orgId);
  await deleteRows(deps.sql, orgId);
  await markFinished(deps.sql, orgId, deps.clock());
}
