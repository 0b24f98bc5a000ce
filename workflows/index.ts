export { appDeletion } from './app-deletion.ts';
export { appProvisioning } from './app-provisioning.ts';
export { backendProvisioning } from './backend-provisioning.ts';
export { organizationDeletion } from './organization-deletion.ts';
export { purchaseForward } from './purchase-forward.ts';
export { purchaseNotification } from './purchase-notification.ts';
export { purchaseRecovery } from './purchase-recovery.ts';
export { webhookDelivery } from './webhook-delivery.ts';
