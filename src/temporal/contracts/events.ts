import { workflowContract } from './workflow.ts';

export type EventFileJob = {
  /**
   * `split` by app and day, `merge` into one, `correct` people and retention, `expire` whole files,
   * `renew` earlier formats.
   */
  kind: 'split' | 'merge' | 'correct' | 'expire' | 'renew';
  fileIds: string[];
  /** Absent for shared files, and from earlier releases. */
  appId?: string;
};

export const eventMaintenanceContract = workflowContract({
  type: 'eventMaintenance',
  workflowId: (_input: Record<string, never>) => 'eventMaintenance',
  summary: () => 'Merge, correct and expire event files',
  scope: () => ({ orgId: 'all' }),
});
