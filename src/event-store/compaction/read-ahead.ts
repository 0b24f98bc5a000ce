import type { EventRow } from '../event/columns.ts';
import type { SegmentFile } from '../log/segments.ts';
import { nextGroup, type Reading, readGroup } from './read-segments.ts';

export type Group = { segments: SegmentFile[]; received: EventRow[] };

export async function readNext(
  waiting: readonly SegmentFile[],
  reading: Reading,
): Promise<Group | null> {
  const segments = await nextGroup(waiting);
  return segments.length === 0 ? null : { segments, received: await readGroup(segments, reading) };
}

/** One group ahead at most, which bounds memory. */
export class ReadAhead {
  private ahead: Promise<Group | null> | null = null;

  constructor(private readonly reading: Reading) {}

  begin(waiting: readonly SegmentFile[]): void {
    // Failures surface when the group is read again.
    this.ahead ??= readNext(waiting, this.reading).catch(() => null);
  }

  async take(waiting: readonly SegmentFile[]): Promise<Group | null> {
    const ahead = await this.ahead;
    this.ahead = null;
    const ids = new Set(waiting.map(({ segmentId }) => segmentId));
    const isWaiting = ahead?.segments.every(({ segmentId }) => ids.has(segmentId));
    return isWaiting ? ahead : readNext(waiting, this.reading);
  }
}
