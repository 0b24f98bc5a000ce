import { MINUTE_MS } from '../../shared/time.ts';

export type Received = { rows: number; minReceivedAt: Date; maxReceivedAt: Date };

/** Clocks of hosts, and the clock of one host when it is set back, differ by less than this. */
const CLOCK_SLACK_MS = MINUTE_MS;

/** Those of these files that can hold one of the `count` rows received last. */
export function newestFiles<T extends Received>(files: readonly T[], count: number): T[] {
  const latestFirst = files.toSorted(
    (a, b) => b.minReceivedAt.getTime() - a.minReceivedAt.getTime(),
  );
  let rows = 0;
  for (const file of latestFirst) {
    rows += file.rows;
    // Everything up to here was received later than this, so what ended before it is older.
    const sinceMs = file.minReceivedAt.getTime() - CLOCK_SLACK_MS;
    if (rows >= count) return files.filter((one) => one.maxReceivedAt.getTime() >= sinceMs);
  }
  return [...files];
}
