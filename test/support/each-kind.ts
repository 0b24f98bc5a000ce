import type { Client } from '@temporalio/client';
import { TASK_QUEUE } from '../../src/temporal/contracts/workflow.ts';
import * as workflows from '../../workflows/index.ts';
import type { World } from './forged-world.ts';
import { until } from './until.ts';

const FORGED = { force: true, existingProjectRef: null, rows: 1e9 };

/** What a run of any kind can be started with. */
export const inputOf = (world: World) => ({ ...world, ...FORGED, environment: 'Production' });

const isFirst = ({ attempt }: { attempt?: number | null }) => (attempt ?? 1) < 2;

/** Until it has ended, or only waits. */
export async function comesToRest({ workflow }: Client, workflowId: string): Promise<string> {
  return until(`the run ${workflowId} comes to rest`, async (saw) => {
    const { status, raw } = await workflow.getHandle(workflowId).describe();
    if (status.name !== 'RUNNING') return status.name;
    const { pendingWorkflowTask, pendingActivities } = raw;
    saw({ pendingWorkflowTask, pendingActivities });
    const pending = [
      ...(pendingActivities ?? []),
      ...(pendingWorkflowTask ? [pendingWorkflowTask] : []),
    ];
    return pending.some(isFirst) ? null : status.name;
  });
}

/** Each kind of run once; how it ended, or RUNNING where it waits for its next attempt. */
export async function runEachKind(client: Client, world: World): Promise<Record<string, string>> {
  const ends: Record<string, string> = {};
  for (const type of Object.keys(workflows)) {
    const workflowId = `each-kind/${type}`;
    const input = inputOf(world);
    await client.workflow.start(type, {
      ...{ workflowId, taskQueue: TASK_QUEUE, args: [input] },
      memo: { ...input, isSealed: true },
    });
    ends[type] = await comesToRest(client, workflowId);
    await client.workflow
      .getHandle(workflowId)
      .terminate()
      .catch(() => undefined);
  }
  return ends;
}
