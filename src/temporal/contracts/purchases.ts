import type { StoreEnvironment } from '../../shared/environment.ts';
import { ofApp, workflowContract } from './workflow.ts';

export type NotificationRunInput = { environment: StoreEnvironment; notificationId: string };
export type ForwardRunInput = NotificationRunInput & { orgId: string; appId: string };
export type RecoveryPlan = { startMs: number; endMs: number; isLast: boolean };
export type RecoveryProgress = {
  stored: number;
  pages: number;
  slice: { window: RecoveryPlan; paginationToken: string | null } | null;
};
export type RecoveryRunInput = {
  orgId: string;
  appId: string;
  /** Continuation of a run whose history grew long. */
  resume?: { environment: number; found: string[]; progress: RecoveryProgress };
};
export type RefundRunInput = {
  orgId: string;
  appId: string;
  environment: StoreEnvironment;
  requestId: string;
};
export type HistoryRunInput = { orgId: string; appId: string };
/** `asked`: purchases in earlier runs. */
export type PlayRunInput = { orgId: string; appId: string; asked?: number };
/** `rows`: imported by earlier runs. */
export type ImportRunInput = { orgId: string; appId: string; rows?: number };

export const purchaseNotificationContract = workflowContract({
  type: 'purchaseNotification',
  workflowId: (input: NotificationRunInput) =>
    `purchaseNotification/${input.environment}:${input.notificationId}`,
  summary: (input) => `Apply notification ${input.notificationId} (${input.environment})`,
  // The starter names the first of possibly several apps.
  scope: () => ({ orgId: 'none' }),
});

/** To the app owner's URL. */
export const purchaseForwardContract = workflowContract({
  type: 'purchaseForward',
  workflowId: (input: ForwardRunInput) =>
    `purchaseForward/${input.environment}:${input.notificationId}:${input.appId}`,
  summary: (input) => `Forward notification ${input.notificationId} for ${input.appId}`,
  scope: ofApp,
});

/** A question of the store about a refund. */
export const purchaseRefundAnswerContract = workflowContract({
  type: 'purchaseRefundAnswer',
  workflowId: (input: RefundRunInput) =>
    `purchaseRefundAnswer/${input.environment}:${input.requestId}:${input.appId}`,
  summary: (input) => `Answer refund request ${input.requestId} of ${input.appId}`,
  scope: ofApp,
});

export const purchaseRecoveryContract = workflowContract({
  type: 'purchaseRecovery',
  workflowId: ({ appId }: RecoveryRunInput) => `purchaseRecovery/${appId}`,
  summary: ({ appId }) => `Read the notification history of ${appId}`,
  scope: ofApp,
});

export const purchaseHistoryContract = workflowContract({
  type: 'purchaseHistory',
  workflowId: ({ appId }: HistoryRunInput) => `purchaseHistory/${appId}`,
  summary: ({ appId }) => `Read the transaction histories of ${appId}`,
  scope: ofApp,
});

export const purchaseImportContract = workflowContract({
  type: 'purchaseImport',
  workflowId: ({ appId }: ImportRunInput) => `purchaseImport/${appId}`,
  summary: ({ appId }) => `Import purchases of ${appId}`,
  scope: ofApp,
});

export const playPurchasesContract = workflowContract({
  type: 'playPurchases',
  workflowId: ({ appId }: PlayRunInput) => `playPurchases/${appId}`,
  summary: ({ appId }) => `Ask Google Play about purchases of ${appId}`,
  scope: ofApp,
});
