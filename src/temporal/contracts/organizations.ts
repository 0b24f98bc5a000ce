import { ofOrganization, workflowContract } from './workflow.ts';

export type OrganizationRunInput = { orgId: string };

export const organizationDeletionContract = workflowContract({
  type: 'organizationDeletion',
  isUnnamed: true,
  workflowId: ({ orgId }: OrganizationRunInput) => `organizationDeletion/${orgId}`,
  summary: ({ orgId }) => `Delete organization ${orgId}`,
  scope: ofOrganization,
});
