import { workflowContract } from './workflow.ts';

export type OrganizationRunInput = { orgId: string };

/** Removes what an organization owned; the organization itself is gone before this starts. */
export const organizationDeletionContract = workflowContract<OrganizationRunInput>({
  type: 'organizationDeletion',
  workflowId: ({ orgId }) => `organizationDeletion/${orgId}`,
  summary: ({ orgId }) => `Delete organization ${orgId}`,
});
