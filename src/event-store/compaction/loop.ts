import { join } from 'node:path';
import type { Deps } from '../../context.ts';
import { messageOf } from '../../shared/errors.ts';
import { SECOND_MS, sleep } from '../../shared/time.ts';
import { withLock } from '../../storage/locks.ts';
import { isDatabaseAway } from '../../storage/postgres.ts';
import { sweepRetired } from '../catalogue/sweep.ts';
import { KeyIndex } from '../dedup/key-index.ts';
import { keepRuns } from '../dedup/merge-runs.ts';
import { openEngine } from '../parquet/engine.ts';
import { coalesceOnce } from '../rewrite/coalesce.ts';
import { adoptShipped } from '../shipping/adopt.ts';
import { type Compaction, compactOnce } from './compact.ts';

const EVERY_MS = 2 * SECOND_MS;
/** After a round of many events: what has come meanwhile is in every query's way. */
const SOON_MS = SECOND_MS / 4;
const RETRY_MS = SECOND_MS;
const SWEEP_EVERY_MS = 30 * SECOND_MS;
const ENGINE_MEMORY_MB = 256;
/** A second one makes nothing faster here, and sorting twice as hungry. */
const ENGINE_THREADS = 1;
/** Of one round: there is a load or a backlog. */
const MANY_EVENTS = 10_000;
/** Holding more than this, it lets go of the rows of a group at once, for a tenth of its time. */
const COLLECT_FROM_BYTES = 640 * 1024 * 1024;

export async function openCompaction(deps: Deps): Promise<Compaction> {
  const { sql, log, clock, objects, config } = deps;
  const connection = await openEngine({
    memoryMb: ENGINE_MEMORY_MB,
    threads: ENGINE_THREADS,
    tempDir: join(config.dataDir, 'tmp', `compactor-${process.pid}`),
  });
  const keys = new KeyIndex((path) => objects.localPath(path));
  return { sql, log, clock, objects, connection, keys, logDir: config.events.logDir };
}

/**
 * Runs `work` unless another compactor works, on whatever host. Only spares doubled work: what
 * keeps it right is the number in the catalogue, which holds also when the lock is lost.
 */
function oneAtATime<T>({ sql }: Compaction, work: () => Promise<T>) {
  return withLock(sql, 'compaction', work);
}

/** One round: everything that is sealed, group after group. Returns the number of events. */
export async function compactAll(compaction: Compaction, signal?: AbortSignal): Promise<number> {
  let events = 0;
  for (let more = true; more && !signal?.aborted; ) {
    const result = await oneAtATime(compaction, () => compactOnce(compaction));
    events += result?.value.events ?? 0;
    more = result?.value.more ?? false;
    if (more && process.memoryUsage.rss() > COLLECT_FROM_BYTES) Bun.gc(true);
    // In between, so that a long backlog does not pile up thousands of small files.
    if (!signal?.aborted) await tryToTidy(compaction);
  }
  return events;
}

/** Keeps files and key runs few; a step at a time, so that new events are not kept waiting. */
export async function tidy(compaction: Compaction): Promise<void> {
  await oneAtATime(compaction, async () => {
    await coalesceOnce(compaction);
    await keepRuns(compaction);
  });
}

/** Many small files are slow to read; events that never get into a file are worse. */
async function tryToTidy(compaction: Compaction): Promise<void> {
  try {
    await tidy(compaction);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    compaction.log.error({ err: messageOf(error) }, 'small event files could not be put together');
  }
}

/**
 * Compacts every two seconds, sooner under load, until `signal`, whatever else is down: without
 * PostgreSQL the log simply grows and is caught up with later.
 */
export async function compactForever(compaction: Compaction, signal: AbortSignal): Promise<void> {
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    try {
      const events = await compactAll(compaction, signal);
      if (performance.now() - sweptAtMs > SWEEP_EVERY_MS) {
        sweptAtMs = performance.now();
        await sweepRetired(compaction);
        await adoptShipped(compaction);
        await compaction.objects.trim(compaction.clock().getTime());
      }
      await sleep(events > MANY_EVENTS ? SOON_MS : EVERY_MS, signal);
    } catch (error) {
      const report = isDatabaseAway(error) ? compaction.log.warn : compaction.log.error;
      report.call(compaction.log, { err: messageOf(error) }, 'compaction failed; trying again');
      await sleep(RETRY_MS, signal);
    }
  }
}
