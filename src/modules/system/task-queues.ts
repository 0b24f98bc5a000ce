import type { Deps } from '../../context.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { FILES_TASK_QUEUE, TASK_QUEUE } from '../../temporal/contracts/workflow.ts';

const POLLER_FRESH_MS = 120 * SECOND_MS;
/** Of Temporal's TaskQueueType. */
const TYPES = { workflow: 1, activity: 2 } as const;

type TemporalDeps = Pick<Deps, 'config' | 'temporal'>;

function describe(
  { temporal, config }: TemporalDeps,
  name: string,
  kind: keyof typeof TYPES,
  reportStats: boolean,
) {
  return temporal.call(() =>
    temporal.client.workflowService.describeTaskQueue({
      namespace: config.temporal.namespace,
      taskQueue: { name },
      taskQueueType: TYPES[kind],
      reportStats,
    }),
  );
}

type Described = Awaited<ReturnType<typeof describe>>;

const isPolled = ({ pollers }: Described): boolean =>
  (pollers ?? []).some((poller) => {
    const seconds = Number(poller.lastAccessTime?.seconds ?? 0);
    return Date.now() - seconds * SECOND_MS < POLLER_FRESH_MS;
  });

/** Whether a worker takes runs. Throws while Temporal is away. */
export async function workerPolls(deps: TemporalDeps): Promise<boolean> {
  return isPolled(await describe(deps, TASK_QUEUE, 'workflow', false));
}

/**
 * Why no workflow gets on: Temporal is away or starts none, or nobody takes runs or their
 * activities. Null when they run.
 */
export async function whyNoWorkflowRuns(deps: TemporalDeps): Promise<string | null> {
  const fault = await deps.temporal.fault();
  if (fault !== null) return fault;
  const described = await Promise.all([
    describe(deps, TASK_QUEUE, 'workflow', false),
    describe(deps, TASK_QUEUE, 'activity', false),
  ]);
  return described.every(isPolled) ? null : `No worker polls the task queue "${TASK_QUEUE}".`;
}

/** Whether work on event files waits and no worker takes it. Throws while Temporal is away. */
export async function fileWorkIsLeft(deps: TemporalDeps): Promise<boolean> {
  const described = await describe(deps, FILES_TASK_QUEUE, 'activity', true);
  return Number(described.stats?.approximateBacklogCount ?? 0) > 0 && !isPolled(described);
}
