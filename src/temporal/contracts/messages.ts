import { ofOrganization, workflowContract } from './workflow.ts';

export type MessagePost = { orgId: string; bundleId: string; destinationId: string };
export type AlertCheckInput = { orgId: string };

export const messagePostContract = workflowContract({
  type: 'messagePost',
  workflowId: ({ bundleId, destinationId }: MessagePost) =>
    `messagePost/${bundleId}/${destinationId}`,
  summary: ({ bundleId, destinationId }) => `Send ${bundleId} to ${destinationId}`,
  scope: ofOrganization,
});

/** Started hourly by the organization's schedule. */
export const alertCheckContract = workflowContract({
  type: 'alertCheck',
  isUnnamed: true,
  workflowId: ({ orgId }: AlertCheckInput) => `alertCheck/${orgId}`,
  summary: ({ orgId }) => `Check for alerts of ${orgId}`,
  scope: ofOrganization,
});
