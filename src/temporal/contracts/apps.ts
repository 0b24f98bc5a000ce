import { workflowContract } from './workflow.ts';

export type AppRunInput = { orgId: string; appId: string };

/** Makes an app usable: event dataset, default funnel, then `active`; undone and `error` on failure. */
export const appProvisioningContract = workflowContract<AppRunInput>({
  type: 'appProvisioning',
  workflowId: ({ appId }) => `appProvisioning/${appId}`,
  summary: ({ appId }) => `Provision ${appId}`,
});

/** Removes everything that an app owned; the app itself is hidden before this starts. */
export const appDeletionContract = workflowContract<AppRunInput>({
  type: 'appDeletion',
  workflowId: ({ appId }) => `appDeletion/${appId}`,
  summary: ({ appId }) => `Delete ${appId}`,
});
