import { ofApp, workflowContract } from './workflow.ts';

export type AppRunInput = { orgId: string; appId: string };

/** Compensated to `error` on failure. */
export const appProvisioningContract = workflowContract({
  type: 'appProvisioning',
  workflowId: ({ appId }: AppRunInput) => `appProvisioning/${appId}`,
  summary: ({ appId }) => `Provision ${appId}`,
  scope: ofApp,
});

export const appDeletionContract = workflowContract({
  type: 'appDeletion',
  isUnnamed: true,
  workflowId: ({ appId }: AppRunInput) => `appDeletion/${appId}`,
  summary: ({ appId }) => `Delete ${appId}`,
  scope: ofApp,
});
