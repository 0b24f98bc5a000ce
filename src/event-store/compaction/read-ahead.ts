import type { EventRow } from '../event/columns.ts';
import type { SegmentFile } from '../log/segments.ts';
import type { Reporter } from '../store.ts';
import { nextGroup, readGroup } from './read-segments.ts';

/** Segments that become one commit, and their rows in order of receipt. */
export type Group = { segments: SegmentFile[]; received: EventRow[] };

/** The first group of these; null when there are none. */
export async function readNext(
  waiting: readonly SegmentFile[],
  log: Reporter,
): Promise<Group | null> {
  const segments = await nextGroup(waiting);
  return segments.length === 0 ? null : { segments, received: await readGroup(segments, log) };
}

/**
 * Reads the next group while DuckDB writes the file of the one before, on another core. One group
 * ahead at most: that bounds memory.
 */
export class ReadAhead {
  private ahead: Promise<Group | null> | null = null;

  constructor(private readonly log: Reporter) {}

  /** Begins to read the first group of these. */
  begin(waiting: readonly SegmentFile[]): void {
    // What fails here is read again when its turn comes: another compactor may have taken it since.
    this.ahead ??= readNext(waiting, this.log).catch(() => null);
  }

  /** The next group of these; null when there are none. */
  async take(waiting: readonly SegmentFile[]): Promise<Group | null> {
    const ahead = await this.ahead;
    this.ahead = null;
    const ids = new Set(waiting.map(({ segmentId }) => segmentId));
    const isWaiting = ahead?.segments.every(({ segmentId }) => ids.has(segmentId));
    return isWaiting ? ahead : readNext(waiting, this.log);
  }
}
