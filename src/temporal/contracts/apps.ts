import { workflowContract } from './workflow.ts';

export type AppRunInput = { orgId: string; appId: string };

const PROVISIONING = 'appProvisioning/';
const DELETION = 'appDeletion/';

/** Makes an app usable: event dataset, default funnel, then `active`; undone and `error` on failure. */
export const appProvisioningContract = workflowContract<AppRunInput>({
  type: 'appProvisioning',
  workflowId: ({ appId }) => `${PROVISIONING}${appId}`,
  summary: ({ appId }) => `Provision ${appId}`,
});

/** Removes everything that an app owned; the app itself is hidden before this starts. */
export const appDeletionContract = workflowContract<AppRunInput>({
  type: 'appDeletion',
  workflowId: ({ appId }) => `${DELETION}${appId}`,
  summary: ({ appId }) => `Delete ${appId}`,
});

/** The app behind a run of either contract, or null for another workflow's id. */
export function appIdOfRun(workflowId: string): string | null {
  for (const prefix of [PROVISIONING, DELETION]) {
    if (workflowId.startsWith(prefix)) return workflowId.slice(prefix.length);
  }
  return null;
}
