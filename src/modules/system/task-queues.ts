import type { Deps } from '../../context.ts';
import { FILES_TASK_QUEUE, TASK_QUEUE } from '../../temporal/contracts/workflow.ts';
import { describeQueue, isFresh } from '../../temporal/sharing.ts';

type TemporalDeps = Pick<Deps, 'config' | 'temporal'>;

function describe({ temporal, config }: TemporalDeps, asked: Parameters<typeof describeQueue>[1]) {
  const { connection } = temporal.client;
  const { namespace } = config.temporal;
  return temporal.call(() => describeQueue({ connection, namespace }, asked));
}

type Described = Awaited<ReturnType<typeof describe>>;

const isPolled = ({ pollers }: Described): boolean => (pollers ?? []).some(isFresh);

export async function workerPolls(deps: TemporalDeps): Promise<boolean> {
  return isPolled(await describe(deps, { name: TASK_QUEUE, kind: 'workflow' }));
}

export async function whyNoWorkflowRuns(deps: TemporalDeps): Promise<string | null> {
  const fault = await deps.temporal.fault();
  if (fault !== null) return fault;
  const described = await Promise.all([
    describe(deps, { name: TASK_QUEUE, kind: 'workflow' }),
    describe(deps, { name: TASK_QUEUE, kind: 'activity' }),
  ]);
  return described.every(isPolled) ? null : `No worker polls the task queue "${TASK_QUEUE}".`;
}

export async function fileWorkIsLeft(deps: TemporalDeps): Promise<boolean> {
  const described = await describe(deps, {
    name: FILES_TASK_QUEUE,
    kind: 'activity',
    reportStats: true,
  });
  return Number(described.stats?.approximateBacklogCount ?? 0) > 0 && !isPolled(described);
}
