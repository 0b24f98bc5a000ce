import type { ContractedWorkflows } from '../src/temporal/contracts/index.ts';
import type * as workflows from './index.ts';

export { appDeletion } from './app-deletion.ts';
export { appProvisioning } from './app-provisioning.ts';
export { backendProvisioning } from './backend-provisioning.ts';
export { eventMaintenance } from './event-maintenance.ts';
export { alertCheck, watchCheck } from './hourly-checks.ts';
export { googlePlayReports } from './google-play-reports.ts';
export { messagePost } from './message-post.ts';
export { morningDigest } from './morning-digest.ts';
export { organizationDeletion } from './organization-deletion.ts';
export { playPurchases } from './play-purchases.ts';
export { previewSession } from './preview-session.ts';
export { purchaseForward } from './purchase-forward.ts';
export { purchaseHistory } from './purchase-history.ts';
export { purchaseImport } from './purchase-import.ts';
export { purchaseNotification } from './purchase-notification.ts';
export { purchaseRecovery } from './purchase-recovery.ts';
export { purchaseRefundAnswer } from './purchase-refund-answer.ts';
export { ratesRefresh } from './rates-refresh.ts';
export { storeConnection } from './store-connection.ts';
export { storeSync } from './store-sync.ts';

export { webhookDelivery } from './webhook-delivery.ts';

/** Compile-time check of each workflow's name and input against its contract. */
type Bound<Workflows extends ContractedWorkflows> = Workflows;
export type Workflows = Bound<typeof workflows>;
