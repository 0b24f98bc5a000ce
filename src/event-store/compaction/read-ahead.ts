import { readFile, stat } from 'node:fs/promises';
import { errorMessage } from '../../shared/errors.ts';
import { writeDurably } from '../../storage/files.ts';
import type { EventRow } from '../event/columns.ts';
import { normalizeBatch } from '../event/normalize.ts';
import { byReceipt } from '../event/resolve.ts';
import { type Scan, scanRecords } from '../log/record.ts';
import type { SegmentFile } from '../log/segments.ts';
import { segmentCopyName } from '../objects/names.ts';
import type { EventStore, Reporter } from '../store.ts';

/** Bounds the memory of a commit, yet yields reasonably large files. */
const MAX_GROUP_BYTES = 8 * 1024 * 1024;

async function nextGroup(segments: readonly SegmentFile[]): Promise<SegmentFile[]> {
  const group: SegmentFile[] = [];
  let bytes = 0;
  for (const segment of segments) {
    const { size } = await stat(segment.path);
    if (group.length > 0 && bytes + size > MAX_GROUP_BYTES) break;
    bytes += size;
    group.push(segment);
  }
  return group;
}

type Part = { segment: SegmentFile; bytes: Uint8Array; offset: number; why: string };

/** Durable before the bytes are dropped. */
async function quarantine({ segment, bytes, offset, why }: Part, log: Reporter): Promise<void> {
  if (bytes.length === 0) return;
  const path = `${segment.path}.${offset}.corrupt`;
  await writeDurably(path, bytes);
  log.error(
    { segment: segment.segmentId, offset, bytes: bytes.length, path, why },
    'part of an event log segment could not be read and was quarantined',
  );
}

type Read = { bytes: Uint8Array; scan: Scan };
type Reading = Pick<EventStore, 'objects'> & { log: Reporter };

const isWhole = ({ scan }: Read) => scan.fault === null && scan.damages.length === 0;

async function readScan({ segmentId, path }: SegmentFile, reading: Reading): Promise<Read> {
  const bytes = await readFile(path);
  const read = { bytes, scan: scanRecords(bytes) };
  if (isWhole(read) || !reading.objects.isRemote) return read;
  const copied = await reading.objects.getBytes(segmentCopyName(segmentId));
  const copy = copied && { bytes: copied, scan: scanRecords(copied) };
  if (!copy || !isWhole(copy) || copy.scan.records.length < read.scan.records.length) return read;
  reading.log.warn({ segment: segmentId }, 'a damaged event log segment was read from its copy');
  return copy;
}

async function readSegment(segment: SegmentFile, reading: Reading): Promise<EventRow[]> {
  const { log } = reading;
  const { bytes, scan } = await readScan(segment, reading);
  const { records, goodBytes, damages, fault } = scan;
  const rest = { offset: goodBytes, end: bytes.length, why: fault ?? '' };
  for (const { offset, end, why } of [...damages, ...(fault === null ? [] : [rest])]) {
    await quarantine({ segment, bytes: bytes.subarray(offset, end), offset, why }, log);
  }
  const rows: EventRow[] = [];
  for (const record of records) {
    try {
      rows.push(...normalizeBatch(record));
    } catch (error) {
      const offset = record.body.byteOffset - bytes.byteOffset;
      await quarantine({ segment, bytes: record.body, offset, why: errorMessage(error) }, log);
    }
  }
  return rows;
}

async function readGroup(group: readonly SegmentFile[], reading: Reading): Promise<EventRow[]> {
  const rows: EventRow[][] = [];
  for (const segment of group) rows.push(await readSegment(segment, reading));
  return rows.flat().sort(byReceipt);
}

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
