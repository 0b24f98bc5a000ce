import { workflowContract } from './workflow.ts';

/** One notification of the store. `environment` is `Production` or `Sandbox`. */
export type NotificationRunInput = { environment: string; notificationId: string };
export type ForwardRunInput = NotificationRunInput & { orgId: string; appId: string };
export type RecoveryRunInput = {
  orgId: string;
  appId: string;
  /** Where the run before stopped, whose history had become long; opaque to everybody else. */
  resume?: unknown;
};
export type HistoryRunInput = { orgId: string; appId: string };

const NOTIFICATION = 'purchaseNotification/';
const FORWARD = 'purchaseForward/';
const RECOVERY = 'purchaseRecovery/';
const HISTORY = 'purchaseHistory/';

/** Applies a stored notification to every app that it concerns. */
export const purchaseNotificationContract = workflowContract<NotificationRunInput>({
  type: 'purchaseNotification',
  workflowId: (input) => `${NOTIFICATION}${input.environment}:${input.notificationId}`,
  summary: (input) => `Apply notification ${input.notificationId} (${input.environment})`,
});

/** Delivers one notification to the address of an app's owner. */
export const purchaseForwardContract = workflowContract<ForwardRunInput>({
  type: 'purchaseForward',
  workflowId: (input) => `${FORWARD}${input.environment}:${input.notificationId}:${input.appId}`,
  summary: (input) => `Forward notification ${input.notificationId} for ${input.appId}`,
});

/** Reads the store's notification history of an app, so that nothing stays lost. */
export const purchaseRecoveryContract = workflowContract<RecoveryRunInput>({
  type: 'purchaseRecovery',
  workflowId: ({ appId }) => `${RECOVERY}${appId}`,
  summary: ({ appId }) => `Read the notification history of ${appId}`,
});

/** Reads the store's transaction history of every chain that an app knows, once. */
export const purchaseHistoryContract = workflowContract<HistoryRunInput>({
  type: 'purchaseHistory',
  workflowId: ({ appId }) => `${HISTORY}${appId}`,
  summary: ({ appId }) => `Read the transaction histories of ${appId}`,
});

/** The notification behind a run of the first contract, or null for another workflow's id. */
export function notificationOfRun(workflowId: string): NotificationRunInput | null {
  if (!workflowId.startsWith(NOTIFICATION)) return null;
  const rest = workflowId.slice(NOTIFICATION.length);
  const colon = rest.indexOf(':');
  if (colon < 0) return null;
  return { environment: rest.slice(0, colon), notificationId: rest.slice(colon + 1) };
}
