import { limitConcurrency } from '../../shared/concurrency.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import type { Check, ObjectStore } from '../../storage/object-store/port.ts';

const FETCHES_AT_ONCE = 8;

export async function localFiles<T extends { path: string }>(
  objects: ObjectStore,
  files: readonly T[],
  check?: Check,
): Promise<T[]> {
  const limited = limitConcurrency(FETCHES_AT_ONCE);
  const fetched = async (file: T) => ({ ...file, path: await objects.localPath(file.path, check) });
  return Promise.all(files.map((file) => limited(() => fetched(file))));
}

export type ReceiptBounds = { rows: number; minReceivedAt: Date; maxReceivedAt: Date };

/** Between hosts, and steps back of one clock. */
const CLOCK_SLACK_MS = MINUTE_MS;

/** That may hold one of the `count` most recently received rows. */
export function newestFiles<T extends ReceiptBounds>(files: readonly T[], count: number): T[] {
  const latestFirst = files.toSorted(
    (a, b) => b.minReceivedAt.getTime() - a.minReceivedAt.getTime(),
  );
  let rows = 0;
  for (const file of latestFirst) {
    rows += file.rows;
    const sinceMs = file.minReceivedAt.getTime() - CLOCK_SLACK_MS;
    if (rows >= count) return files.filter((other) => other.maxReceivedAt.getTime() >= sinceMs);
  }
  return [...files];
}
