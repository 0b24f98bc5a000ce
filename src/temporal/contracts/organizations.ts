import { ofOrganization, workflowContract } from './workflow.ts';

export type OrganizationRunInput = { orgId: string };

/** Removes what an organization owned; the organization itself is gone before this starts. */
export const organizationDeletionContract = workflowContract({
  type: 'organizationDeletion',
  workflowId: ({ orgId }: OrganizationRunInput) => `organizationDeletion/${orgId}`,
  summary: ({ orgId }) => `Delete organization ${orgId}`,
  scope: ofOrganization,
});
