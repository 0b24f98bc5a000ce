export { compactForever } from './compaction/loop.ts';
export { checkOwners } from './maintenance/check-owners.ts';
export { compactNow, eventMaintenance, reconcileEvents } from './maintenance/maintain.ts';
export { openCompactor } from './store.ts';
