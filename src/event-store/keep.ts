export { compactForever, openCompaction } from './compaction/loop.ts';
export { compactNow } from './maintenance/compact-now.ts';
export { reconcileEvents } from './maintenance/reconcile.ts';
export { eventMaintenance } from './maintenance/worker.ts';
