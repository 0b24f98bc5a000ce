import { ofApp, workflowContract } from './workflow.ts';

export type AppRunInput = { orgId: string; appId: string };

/** Provisions an app: event dataset, default funnel, then `active`; undone and `error` on failure. */
export const appProvisioningContract = workflowContract({
  type: 'appProvisioning',
  workflowId: ({ appId }: AppRunInput) => `appProvisioning/${appId}`,
  summary: ({ appId }) => `Provision ${appId}`,
  scope: ofApp,
});

/** Removes everything that an app owned; the app itself is hidden before this starts. */
export const appDeletionContract = workflowContract({
  type: 'appDeletion',
  workflowId: ({ appId }: AppRunInput) => `appDeletion/${appId}`,
  summary: ({ appId }) => `Delete ${appId}`,
  scope: ofApp,
});
