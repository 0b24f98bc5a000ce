import type { StoreEnvironment } from '../../shared/environment.ts';
import { ofApp, workflowContract } from './workflow.ts';

export type NotificationRunInput = { environment: StoreEnvironment; notificationId: string };
export type ForwardRunInput = NotificationRunInput & { orgId: string; appId: string };
/** One piece of the history, in milliseconds. `isLast`: nothing is due after it. */
export type RecoveryPlan = { startMs: number; endMs: number; isLast: boolean };
export type RecoveryProgress = {
  stored: number;
  pages: number;
  slice: { window: RecoveryPlan; paginationToken: string | null } | null;
};
export type RecoveryRunInput = {
  orgId: string;
  appId: string;
  /** Where the previous run stopped because its history had become long. */
  resume?: { environment: number; found: string[]; progress: RecoveryProgress };
};
export type HistoryRunInput = { orgId: string; appId: string };
/** `rows` is how many the runs before imported. */
export type ImportRunInput = { orgId: string; appId: string; rows?: number };

/** Applies a stored notification to every app that it concerns. */
export const purchaseNotificationContract = workflowContract({
  type: 'purchaseNotification',
  workflowId: (input: NotificationRunInput) =>
    `purchaseNotification/${input.environment}:${input.notificationId}`,
  summary: (input) => `Apply notification ${input.notificationId} (${input.environment})`,
  // It may concern several apps; whoever starts it names the first.
  scope: () => ({ orgId: 'none' }),
});

/** Delivers one notification to the address of an app's owner. */
export const purchaseForwardContract = workflowContract({
  type: 'purchaseForward',
  workflowId: (input: ForwardRunInput) =>
    `purchaseForward/${input.environment}:${input.notificationId}:${input.appId}`,
  summary: (input) => `Forward notification ${input.notificationId} for ${input.appId}`,
  scope: ofApp,
});

/** Reads the store's notification history of an app, so that nothing stays lost. */
export const purchaseRecoveryContract = workflowContract({
  type: 'purchaseRecovery',
  workflowId: ({ appId }: RecoveryRunInput) => `purchaseRecovery/${appId}`,
  summary: ({ appId }) => `Read the notification history of ${appId}`,
  scope: ofApp,
});

/** Reads the store's transaction history of every chain that an app knows, once. */
export const purchaseHistoryContract = workflowContract({
  type: 'purchaseHistory',
  workflowId: ({ appId }: HistoryRunInput) => `purchaseHistory/${appId}`,
  summary: ({ appId }) => `Read the transaction histories of ${appId}`,
  scope: ofApp,
});

/** Verifies purchases that another provider knew with the store, and binds them to their users. */
export const purchaseImportContract = workflowContract({
  type: 'purchaseImport',
  workflowId: ({ appId }: ImportRunInput) => `purchaseImport/${appId}`,
  summary: ({ appId }) => `Import purchases of ${appId}`,
  scope: ofApp,
});
