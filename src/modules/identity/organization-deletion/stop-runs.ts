import type { SystemContext } from '../../../context.ts';
import {
  type OrganizationRunInput,
  organizationDeletionContract,
} from '../../../temporal/contracts/organizations.ts';
import { isUnfinished } from './queries.ts';

/** Ends every run that still works for the organization, such as its store's actor. */
export async function stopRuns(
  { deps }: SystemContext,
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
        // It may have ended by itself since it was listed.
        deps.log.info({ err: error, workflowId }, 'A run had ended already');
      });
  }
}
