import type { Deps } from '../../context.ts';
import { SECOND_MS, sleep } from '../../shared/time.ts';
import { dispatch } from './dispatch.ts';
import { deleteOldRuns, takeWaitingRuns } from './queries.ts';

const SWEEP_EVERY_MS = 2 * SECOND_MS;
const RETRY_SECONDS = 10;
const BATCH = 100;
const KEEP_HOURS = 24;

type SweepDeps = Pick<Deps, 'sql' | 'temporal' | 'log'>;

/** Starts what waits; stops at the first failure, since the next would most likely fail too. */
export async function sweepOnce(deps: SweepDeps): Promise<number> {
  let started = 0;
  for (const run of await takeWaitingRuns(deps.sql, {
    limit: BATCH,
    retrySeconds: RETRY_SECONDS,
  })) {
    if (!(await dispatch(deps, run))) return started;
    started += 1;
  }
  return started;
}

/** Sweeps until `signal` is aborted; an outage of the database or of Temporal only delays it. */
export async function sweepForever(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await sweepOnce(deps);
      await deleteOldRuns(deps.sql, KEEP_HOURS);
    } catch (thrown) {
      deps.log.warn({ err: thrown }, 'The outbox could not be swept');
    }
    await sleep(SWEEP_EVERY_MS, signal);
  }
}
