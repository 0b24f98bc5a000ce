import type { Deps } from '../../deps.ts';
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

/** What is still missing, or null when everything is there. */
export async function notReadyBecause(deps: CheckDeps): Promise<string | null> {
  try {
    if ((await missingMigrations(deps.sql)).length > 0) return 'the database is not migrated';
    if (!(await workerPolls(deps))) return 'no worker polls yet';
    return null;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

export function watchReadiness(deps: CheckDeps): Readiness {
  const stopped = new AbortController();
  let ready = false;
  const watch = async () => {
    let before = '';
    while (!stopped.signal.aborted) {
      const reason = await notReadyBecause(deps);
      if (reason === null) {
        ready = true;
        deps.log.info('Ready');
        return;
      }
      if (reason !== before) deps.log.info({ reason }, 'Not ready yet');
      before = reason;
      await sleep(CHECK_EVERY_MS, stopped.signal);
    }
  };
  void watch();
  return { isReady: () => ready, stop: () => stopped.abort() };
}
