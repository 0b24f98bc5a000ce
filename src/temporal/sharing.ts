import { hostname } from 'node:os';
import type { Connection } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { SECOND_MS } from '../shared/time.ts';
import { FILES_TASK_QUEUE, TASK_QUEUE } from './contracts/workflow.ts';

/** Twice the time that a worker without work waits before it asks again. */
const FRESH_MS = 120 * SECOND_MS;
/** Of Temporal's TaskQueueType. */
const TYPES = { workflow: 1, activity: 2 } as const;
/** A worker of either kind polls one of them, of every installation under the same name. */
const POLLED = [
  { name: TASK_QUEUE, kind: 'workflow' },
  { name: FILES_TASK_QUEUE, kind: 'activity' },
] as const;

type Cluster = { connection: Pick<Connection, 'workflowService'>; namespace: string };
type Poller = temporal.api.taskqueue.v1.IPollerInfo;
type Asked = { name: string; kind: keyof typeof TYPES; reportStats?: boolean };

export function describeQueue(
  { connection, namespace }: Cluster,
  { name, kind, reportStats = false }: Asked,
) {
  const taskQueueType = TYPES[kind];
  const taskQueue = { name };
  return connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue,
    taskQueueType,
    reportStats,
  });
}

/** The server names a worker for some minutes after it ended. */
export function isFresh({ lastAccessTime }: Poller): boolean {
  const seconds = Number(lastAccessTime?.seconds ?? 0);
  return Date.now() - seconds * SECOND_MS < FRESH_MS;
}

/** What a worker calls itself, so that its installation can be told from others. */
export function workerIdentity(installationId: string): string {
  return `${process.pid}@${hostname()}/${installationId}`;
}

/** Null for a worker that does not name its installation, as those of earlier releases. */
function installationOf({ identity }: Poller): string | null {
  return /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(identity ?? '')?.[1] ?? null;
}

/** The id of another installation that takes work from our queues; null when there is none. */
export async function otherInstallation(cluster: Cluster, ownId: string): Promise<string | null> {
  const described = await Promise.all(POLLED.map((asked) => describeQueue(cluster, asked)));
  const ids = described
    .flatMap(({ pollers }) => pollers ?? [])
    .filter(isFresh)
    .map(installationOf);
  return ids.find((id) => id !== null && id !== ownId) ?? null;
}
