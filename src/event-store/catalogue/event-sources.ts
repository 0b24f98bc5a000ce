import { limitConcurrency } from '../../shared/concurrency.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';

const FETCHES_AT_ONCE = 8;

/** Fetches what is not on this host yet, a few at a time. */
export async function localFiles<T extends { path: string }>(
  objects: ObjectStore,
  files: readonly T[],
): Promise<T[]> {
  const limited = limitConcurrency(FETCHES_AT_ONCE);
  const fetched = async (file: T) => ({ ...file, path: await objects.localPath(file.path) });
  return Promise.all(files.map((file) => limited(() => fetched(file))));
}

export type Received = { rows: number; minReceivedAt: Date; maxReceivedAt: Date };

/** Clocks of hosts, and the clock of one host when it is set back, differ by less than this. */
const CLOCK_SLACK_MS = MINUTE_MS;

/** The files that can hold one of the `count` rows received last. */
export function newestFiles<T extends Received>(files: readonly T[], count: number): T[] {
  const latestFirst = files.toSorted(
    (a, b) => b.minReceivedAt.getTime() - a.minReceivedAt.getTime(),
  );
  let rows = 0;
  for (const file of latestFirst) {
    rows += file.rows;
    // Every row so far was received later than this, so a file that ended before it is older.
    const sinceMs = file.minReceivedAt.getTime() - CLOCK_SLACK_MS;
    if (rows >= count) return files.filter((other) => other.maxReceivedAt.getTime() >= sinceMs);
  }
  return [...files];
}
