import type { Deps } from '../../context.ts';
import { messageOf } from '../../shared/errors.ts';
import { SECOND_MS, sleep } from '../../shared/time.ts';
import { missingMigrations } from '../../storage/migrate.ts';
import { TASK_QUEUE } from '../../temporal/contracts/workflow.ts';

const CHECK_EVERY_MS = 250;
const POLLER_FRESH_MS = 120 * SECOND_MS;

/** Ready once, ready for as long as the process lives: a lost dependency shows in the status. */
export type Readiness = { isReady: () => boolean; stop: () => void };

type CheckDeps = Pick<Deps, 'sql' | 'temporal' | 'config' | 'log'>;

async function workerPolls({ temporal, config }: CheckDeps): Promise<boolean> {
  const answer = await temporal.call(() =>
    temporal.client.workflowService.describeTaskQueue({
      namespace: config.temporal.namespace,
      taskQueue: { name: TASK_QUEUE },
      taskQueueType: 1,
    }),
  );
  return (answer.pollers ?? []).some((poller) => {
    const seconds = Number(poller.lastAccessTime?.seconds ?? 0);
    return Date.now() - seconds * SECOND_MS < POLLER_FRESH_MS;
  });
}

/** What keeps the service from being ready; `grace` is how long that may, once the rest is there. */
export type Missing = { reason: string; graceMs: number };

const WHATEVER_IT_TAKES = Number.POSITIVE_INFINITY;
/** Events, summaries and funnels need no Temporal: after a reboot without it they must be served. */
const TEMPORAL_AWAY_GRACE_MS = 3 * SECOND_MS;
/** The first start of a release bundles its workflows. */
const WORKER_GRACE_MS = 30 * SECOND_MS;

/** What is still missing, or null when everything is there. */
export async function missing(deps: CheckDeps): Promise<Missing | null> {
  try {
    if ((await missingMigrations(deps.sql)).length > 0) {
      return { reason: 'the database is not migrated', graceMs: WHATEVER_IT_TAKES };
    }
  } catch (thrown) {
    return { reason: messageOf(thrown), graceMs: WHATEVER_IT_TAKES };
  }
  try {
    if (await workerPolls(deps)) return null;
    return { reason: 'no worker polls yet', graceMs: WORKER_GRACE_MS };
  } catch (thrown) {
    return { reason: messageOf(thrown), graceMs: TEMPORAL_AWAY_GRACE_MS };
  }
}

/**
 * Ready when the database is migrated and a worker polls; without Temporal a little later, because
 * the rest works without it. What is missing then is in the status.
 */
export function watchReadiness(deps: CheckDeps): Readiness {
  const stopped = new AbortController();
  let ready = false;
  const watch = async () => {
    let before = '';
    let databaseSinceMs: number | null = null;
    while (!stopped.signal.aborted) {
      const found = await missing(deps);
      if (found === null || found.graceMs !== WHATEVER_IT_TAKES) {
        databaseSinceMs ??= performance.now();
      } else databaseSinceMs = null;
      const waitedMs = databaseSinceMs === null ? 0 : performance.now() - databaseSinceMs;
      if (found === null || waitedMs >= found.graceMs) {
        ready = true;
        if (found === null) deps.log.info('Ready.');
        else deps.log.warn({ reason: found.reason }, 'Ready, but for workflows.');
        return;
      }
      if (found.reason !== before) deps.log.debug({ reason: found.reason }, 'Not ready yet');
      before = found.reason;
      await sleep(CHECK_EVERY_MS, stopped.signal);
    }
  };
  void watch();
  return { isReady: () => ready, stop: () => stopped.abort() };
}
