import { ofOrganization, workflowContract } from './workflow.ts';

export type OrganizationRunInput = { orgId: string };

/** Deletes all data of an organization, already gone. */
export const organizationDeletionContract = workflowContract({
  type: 'organizationDeletion',
  workflowId: ({ orgId }: OrganizationRunInput) => `organizationDeletion/${orgId}`,
  summary: ({ orgId }) => `Delete organization ${orgId}`,
  scope: ofOrganization,
});
