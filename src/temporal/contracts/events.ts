import { workflowContract } from './workflow.ts';

/** One piece of work on event files; it names files only, so a history stays small. */
export type EventFileJob = {
  /** `split` by app and day, `merge` into one, `correct` people and retention, `expire` whole files. */
  kind: 'split' | 'merge' | 'correct' | 'expire';
  fileIds: string[];
};

/** Looks after the event files of every organization; one run at a time, however many are asked for. */
export const eventMaintenanceContract = workflowContract<Record<string, never>>({
  type: 'eventMaintenance',
  workflowId: () => 'eventMaintenance',
  summary: () => 'Merge, correct and expire event files',
});
