import { rm, stat } from 'node:fs/promises';
import { SECOND_MS, sleep } from '../../shared/time.ts';
import type { Sql } from '../../storage/postgres.ts';
import { catalogued, insertEmptySegments } from '../catalogue/queries.ts';
import { FailureLog } from '../failure-log.ts';
import { type SegmentFile, sealedSegments } from '../log/segments.ts';
import type { Reporter } from '../store.ts';

/** A compactor of this host has compacted and removed a segment by then. */
const ADOPTED_AFTER_MS = 20 * SECOND_MS;
const LOOK_EVERY_MS = 5 * SECOND_MS;
const MAX_REMOVED = 1_000;

export type OwnLog = { sql: Sql; logDir: string; log: Reporter };

/**
 * Removes segments of this host's log that another host has adopted and compacted, and empty ones, as
 * each refused group leaves while the bucket is away: where no compactor runs, nobody else would.
 * Returns how many.
 */
export async function removeCompacted(
  { sql, logDir }: Pick<OwnLog, 'sql' | 'logDir'>,
  olderThanMs = ADOPTED_AFTER_MS,
): Promise<number> {
  const [old, empty]: [SegmentFile[], string[]] = [[], []];
  for (const segment of await sealedSegments(logDir)) {
    const info = await stat(segment.path).catch(() => null);
    // The system's clock, as that of the file system.
    if (info === null || Date.now() - info.mtimeMs < olderThanMs) continue;
    old.push(segment);
    if (info.size === 0) empty.push(segment.segmentId);
    if (old.length === MAX_REMOVED) break;
  }
  if (empty.length > 0) await insertEmptySegments(sql, empty);
  const ids = old.map(({ segmentId }) => segmentId);
  const done = await catalogued(sql, ids);
  for (const { segmentId, path } of old) if (done.has(segmentId)) await rm(path, { force: true });
  return done.size;
}

/** Removes compacted segments until `signal`; tries again while PostgreSQL is away. */
export async function removeCompactedForever(ownLog: OwnLog, signal: AbortSignal): Promise<void> {
  const faults = new FailureLog(ownLog.log, {
    failed: 'compacted segments could not be removed; trying again',
    works: 'compacted segments are removed again',
  });
  while (!signal.aborted) {
    await removeCompacted(ownLog).then(
      () => faults.worked(),
      (error: unknown) => faults.failed(error, 'warn'),
    );
    await sleep(LOOK_EVERY_MS, signal);
  }
}
