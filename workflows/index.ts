export { appDeletion } from './app-deletion.ts';
export { appProvisioning } from './app-provisioning.ts';
