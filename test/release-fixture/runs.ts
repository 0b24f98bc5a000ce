import { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import type { OpenRun } from './facts.ts';

const FAILED_TASK = temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED;

export type RunState = {
  status: string;
  /** Why workflow tasks of it failed: code that no longer fits its history. */
  failedTasks: string[];
  events: number;
};

export type Runs = {
  stateOf: (run: OpenRun) => Promise<RunState>;
  close: () => Promise<void>;
};

/** Looks at runs as an operator does. */
export async function watchRuns(address: string): Promise<Runs> {
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, namespace: 'default' });
  return {
    stateOf: async ({ workflowId, runId }) => {
      const handle = client.workflow.getHandle(workflowId, runId);
      const [{ status }, { events }] = [await handle.describe(), await handle.fetchHistory()];
      const failed = (events ?? []).filter(({ eventType }) => eventType === FAILED_TASK);
      return {
        status: status.name,
        failedTasks: failed.map(
          (event) => event.workflowTaskFailedEventAttributes?.failure?.message ?? 'no reason',
        ),
        events: events?.length ?? 0,
      };
    },
    close: () => connection.close(),
  };
}
