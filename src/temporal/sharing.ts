import { hostname } from 'node:os';
import type { Connection } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { SECOND_MS } from '../shared/time.ts';
import { FILES_TASK_QUEUE, TASK_QUEUE } from './contracts/workflow.ts';

/** Twice the poll timeout of an idle worker. */
const FRESH_MS = 120 * SECOND_MS;
/** Temporal's TaskQueueType. */
const TYPES = { workflow: 1, activity: 2 } as const;
/** The same in every installation. */
const POLLED = [
  { name: TASK_QUEUE, kind: 'workflow' },
  { name: FILES_TASK_QUEUE, kind: 'activity' },
] as const;

type Cluster = { connection: Pick<Connection, 'workflowService'>; namespace: string };
type Poller = temporal.api.taskqueue.v1.IPollerInfo;
type Queue = { name: string; kind: keyof typeof TYPES; reportStats?: boolean };

export function describeQueue(
  { connection, namespace }: Cluster,
  { name, kind, reportStats = false }: Queue,
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

/** The server lists workers for minutes after their end. */
export function isFresh({ lastAccessTime }: Poller): boolean {
  const seconds = Number(lastAccessTime?.seconds ?? 0);
  return Date.now() - seconds * SECOND_MS < FRESH_MS;
}

export function workerIdentity(installationId: string): string {
  return `${process.pid}@${hostname()}/${installationId}`;
}

/** Null for workers of earlier releases. */
function parseInstallation({ identity }: Poller): string | null {
  return /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(identity ?? '')?.[1] ?? null;
}

export async function otherInstallation(cluster: Cluster, ownId: string): Promise<string | null> {
  const described = await Promise.all(POLLED.map((asked) => describeQueue(cluster, asked)));
  const ids = described
    .flatMap(({ pollers }) => pollers ?? [])
    .filter(isFresh)
    .map(parseInstallation);
  return ids.find((id) => id !== null && id !== ownId) ?? null;
}
