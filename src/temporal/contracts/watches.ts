import { ofOrganization, workflowContract } from './workflow.ts';

export type WatchCheckInput = { orgId: string };

export const watchCheckContract = workflowContract({
  type: 'watchCheck',
  isUnnamed: true,
  workflowId: ({ orgId }: WatchCheckInput) => `watchCheck/${orgId}`,
  summary: ({ orgId }) => `Look at the watches of ${orgId}`,
  scope: ofOrganization,
});
