import { readFile, stat } from 'node:fs/promises';
import { messageOf } from '../../shared/errors.ts';
import { writeDurably } from '../../storage/files.ts';
import type { EventRow } from '../columns.ts';
import { scanRecords } from '../log/record.ts';
import type { SegmentFile } from '../log/segments.ts';
import { normalizeBatch } from '../normalize.ts';
import type { Reporter } from '../report.ts';
import { byReceipt } from '../resolve.ts';

/** What one commit takes: bounds memory whatever the backlog, and still makes files worth having. */
const MAX_GROUP_BYTES = 8 * 1024 * 1024;

/** The oldest segments, as many as one commit takes; at least one. */
export async function firstGroup(segments: readonly SegmentFile[]): Promise<SegmentFile[]> {
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

/** Keeps what cannot be read beside the log, for a person to look at; written before it is dropped. */
async function setAside(
  segment: SegmentFile,
  bytes: Uint8Array,
  offset: number,
  log: Reporter,
  why: string,
): Promise<void> {
  if (bytes.length === 0) return;
  const path = `${segment.path}.${offset}.corrupt`;
  await writeDurably(path, bytes);
  log.error(
    { segment: segment.segmentId, offset, bytes: bytes.length, path, why },
    'part of an event log segment cannot be read and was set aside',
  );
}

/** The rows of one sealed segment. Damage is set aside and reported; what is whole is kept. */
export async function readSegmentRows(segment: SegmentFile, log: Reporter): Promise<EventRow[]> {
  const bytes = await readFile(segment.path);
  const { records, goodBytes, fault } = scanRecords(bytes);
  if (fault !== null) await setAside(segment, bytes.subarray(goodBytes), goodBytes, log, fault);
  const rows: EventRow[] = [];
  for (const record of records) {
    try {
      rows.push(...normalizeBatch(record));
    } catch (error) {
      const offset = record.body.byteOffset - bytes.byteOffset;
      await setAside(segment, record.body, offset, log, messageOf(error));
    }
  }
  return rows;
}

/** The rows of a group of segments in order of receipt. */
export async function collectRows(
  group: readonly SegmentFile[],
  log: Reporter,
): Promise<EventRow[]> {
  const parts: EventRow[][] = [];
  for (const segment of group) parts.push(await readSegmentRows(segment, log));
  return parts.flat().sort(byReceipt);
}
