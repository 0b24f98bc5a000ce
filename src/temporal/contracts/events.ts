import { workflowContract } from './workflow.ts';

/** One piece of work on event files. It names files only, so that a history stays small. */
export type EventFileJob = {
  /**
   * `split` by app and day, `merge` into one, `correct` people and retention, `expire` whole files,
   * `renew` those of an earlier format.
   */
  kind: 'split' | 'merge' | 'correct' | 'expire' | 'renew';
  fileIds: string[];
  /** Of all its files; left out for files of many apps, and by earlier releases. */
  appId?: string;
};

/** Maintains the event files of every organization, in one run at a time. */
export const eventMaintenanceContract = workflowContract({
  type: 'eventMaintenance',
  workflowId: (_input: Record<string, never>) => 'eventMaintenance',
  summary: () => 'Merge, correct and expire event files',
  scope: () => ({ orgId: 'all' }),
});
