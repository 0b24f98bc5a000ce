import type { SystemContext } from '../../../context.ts';
import type { OrganizationRunInput } from '../../../temporal/contracts/organizations.ts';
import { removeRawReports } from '../../sales/index.ts';
import { deleteRows, isUnfinished, markFinished } from './queries.ts';

/** Deletes what rows are left of the organization, whichever chapter made them. */
export async function removeRows(
  { deps }: SystemContext,
  { orgId }: OrganizationRunInput,
): Promise<void> {
  if (!(await isUnfinished(deps.sql, orgId))) return;
  await removeRawReports(deps.objects, orgId);
  await deleteRows(deps.sql, orgId);
  await markFinished(deps.sql, orgId, deps.clock());
}
