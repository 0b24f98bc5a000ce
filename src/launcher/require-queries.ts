import type { Config } from '../config.ts';
import { pingQueries } from '../shared/query-socket.ts';
import { MINUTE_MS, SECOND_MS, sleep } from '../shared/time.ts';
import { withTimeout } from '../shared/timeout.ts';

const LOOK_EVERY_MS = SECOND_MS / 2;
const ANSWER_MS = 5 * SECOND_MS;

type Host = Pick<Config, 'roles' | 'runDir' | 'workerQueues'>;

const isAnswering = (runDir: string): Promise<boolean> =>
  withTimeout(pingQueries(runDir), ANSWER_MS).then(
    () => true,
    () => false,
  );

/** One in another container may start later. */
export async function requireQueries(
  { roles, runDir, workerQueues }: Host,
  stopping: AbortSignal,
  withinMs = MINUTE_MS,
): Promise<void> {
  const isNeeded = roles.includes('worker') && workerQueues.includes('main');
  if (!isNeeded || roles.includes('query')) return;
  const until = performance.now() + withinMs;
  while (!stopping.aborted && !(await isAnswering(runDir))) {
    if (performance.now() >= until) {
      throw new Error(
        `ROLE has worker and no query, and no query process answers in ${runDir}: digests, watches, alerts and refund answers could not read events. Add query to ROLE, or set WORKER_QUEUES=files where this host only works on event files, or share DATA_DIR with the host of the API.`,
      );
    }
    await sleep(LOOK_EVERY_MS, stopping);
  }
}
