import { errorMessage } from '../../shared/errors.ts';
import { SECOND_MS, sleep } from '../../shared/time.ts';
import { withLock } from '../../storage/locks.ts';
import { isDatabaseUnavailable } from '../../storage/postgres.ts';
import { sweepRetired } from '../catalogue/sweep.ts';
import { adoptForever } from '../hosts/adopt.ts';
import { checkOwnCommit, checkSharedCommit } from '../hosts/last-commit.ts';
import { FailureLog } from '../log/failure-log.ts';
import { coalesceOnce } from '../maintenance/rewrite.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { compactOnce } from './compact.ts';
import { maintainRuns } from './maintain-runs.ts';
import { ReadAhead } from './read-ahead.ts';

const EVERY_MS = 2 * SECOND_MS;
/** After a large batch: every query reads the growing log. */
const SOON_MS = SECOND_MS / 4;
const RETRY_MS = SECOND_MS;
const SWEEP_EVERY_MS = 30 * SECOND_MS;
const MANY_EVENTS = 10_000;
/** Resident memory; each collection takes a tenth of a group's time. */
const COLLECT_FROM_BYTES = 640 * 1024 * 1024;

export async function compactAll(compactor: Compactor, signal?: AbortSignal): Promise<number> {
  let events = 0;
  const ahead = new ReadAhead(compactor);
  for (let more = true; more && !signal?.aborted; ) {
    const result = await compactOnce(compactor, ahead);
    events += result.events;
    more = result.more;
    if (more && process.memoryUsage.rss() > COLLECT_FROM_BYTES) Bun.gc(true);
    if (!signal?.aborted) await tryToTidy(compactor);
  }
  return events;
}

/** In small steps, so new events need not wait. */
export async function tidy(compactor: Compactor): Promise<void> {
  await withLock(compactor.sql, 'compaction', async () => {
    await coalesceOnce(compactor);
    await maintainRuns(compactor);
  });
}

/** Never throws: events stuck in the log are worse than small files. */
async function tryToTidy(compactor: Compactor): Promise<void> {
  try {
    await tidy(compactor);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    compactor.log.error({ err: errorMessage(error) }, 'small event files could not be merged');
  }
}

export async function compactForever(compactor: Compactor, signal: AbortSignal): Promise<void> {
  const { log, objects, clock } = compactor;
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  const faults = new FailureLog(log, {
    failed: 'compaction failed; retrying',
    works: 'compaction works again',
  });
  const adopting = adoptForever(compactor, signal);
  while (!signal.aborted) {
    try {
      await checkOwnCommit(compactor);
      const events = await compactAll(compactor, signal);
      faults.worked();
      if (performance.now() - sweptAtMs > SWEEP_EVERY_MS) {
        sweptAtMs = performance.now();
        await checkSharedCommit(compactor);
        await sweepRetired(compactor);
        await objects.trim(clock().getTime());
      }
      await sleep(events > MANY_EVENTS ? SOON_MS : EVERY_MS, signal);
    } catch (error) {
      faults.failed(error, isDatabaseUnavailable(error) ? 'warn' : 'error');
      await sleep(RETRY_MS, signal);
    }
  }
  await adopting;
}
