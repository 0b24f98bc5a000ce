import { readFile, stat } from 'node:fs/promises';
import { errorMessage } from '../../shared/errors.ts';
import { writeDurably } from '../../storage/files.ts';
import type { EventRow } from '../event/columns.ts';
import { normalizeBatch } from '../event/normalize.ts';
import { byReceipt } from '../event/resolve.ts';
import { scanRecords } from '../log/record.ts';
import type { SegmentFile } from '../log/segments.ts';
import type { Reporter } from '../store.ts';

/** Bounds the memory of a commit, yet yields reasonably large files. */
const MAX_GROUP_BYTES = 8 * 1024 * 1024;

export async function nextGroup(segments: readonly SegmentFile[]): Promise<SegmentFile[]> {
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

type Damage = { segment: SegmentFile; bytes: Uint8Array; offset: number; why: string };

/** Durable before the bytes are dropped. */
async function quarantine({ segment, bytes, offset, why }: Damage, log: Reporter): Promise<void> {
  if (bytes.length === 0) return;
  const path = `${segment.path}.${offset}.corrupt`;
  await writeDurably(path, bytes);
  log.error(
    { segment: segment.segmentId, offset, bytes: bytes.length, path, why },
    'part of an event log segment could not be read and was quarantined',
  );
}

async function readSegment(segment: SegmentFile, log: Reporter): Promise<EventRow[]> {
  const bytes = await readFile(segment.path);
  const { records, goodBytes, fault } = scanRecords(bytes);
  if (fault !== null) {
    const damaged = bytes.subarray(goodBytes);
    await quarantine({ segment, bytes: damaged, offset: goodBytes, why: fault }, log);
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

/** By receipt. */
export async function readGroup(group: readonly SegmentFile[], log: Reporter): Promise<EventRow[]> {
  const rows: EventRow[][] = [];
  for (const segment of group) rows.push(await readSegment(segment, log));
  return rows.flat().sort(byReceipt);
}
