import { rm, stat } from 'node:fs/promises';
import { SECOND_MS, sleep } from '../../shared/time.ts';
import type { Sql } from '../../storage/postgres.ts';
import { catalogued, insertEmptySegments } from '../catalogue/queries.ts';
import { FailureLog } from '../log/failure-log.ts';
import { type SegmentFile, sealedSegments } from '../log/segments.ts';
import type { Reporter } from '../store.ts';

/** A compactor on this host has removed a segment by then. */
const ADOPTED_AFTER_MS = 20 * SECOND_MS;
const LOOK_EVERY_MS = 5 * SECOND_MS;
const MAX_REMOVED = 1_000;

export type OwnLog = { sql: Sql; logDir: string; log: Reporter };

/** Without a local compactor nothing else would. */
export async function removeCompacted(
  { sql, logDir }: Pick<OwnLog, 'sql' | 'logDir'>,
  olderThanMs = ADOPTED_AFTER_MS,
): Promise<number> {
  const [old, empty]: [SegmentFile[], string[]] = [[], []];
  for (const segment of await sealedSegments(logDir)) {
    const info = await stat(segment.path).catch(() => null);
    // The system clock, since the file system uses it.
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

export async function removeCompactedForever(ownLog: OwnLog, signal: AbortSignal): Promise<void> {
  const faults = new FailureLog(ownLog.log, {
    failed: 'compacted segments could not be removed; retrying',
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
