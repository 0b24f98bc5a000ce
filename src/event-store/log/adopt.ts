import { MINUTE_MS } from '../../shared/time.ts';
import { writeDurably } from '../../storage/files.ts';
import { catalogued } from '../catalogue/queries.ts';
import { SEGMENT_COPIES, segmentCopyName, segmentIdOf } from '../names.ts';
import type { Compactor } from '../store.ts';
import { listSegments, type SegmentFile, segmentPath } from './segments.ts';

/** A host that has not compacted its own segment after this is considered dead. */
const ADOPT_AFTER_MS = 15 * MINUTE_MS;

/** Deletes the copies of segments that are compacted. */
export async function deleteShippedCopies(
  { objects }: Compactor,
  segments: readonly SegmentFile[],
): Promise<void> {
  if (!objects.isRemote) return;
  for (const { segmentId } of segments) await objects.remove(segmentCopyName(segmentId));
}

/** Fetches segments of dead hosts into this host's log, to be compacted like its own. */
export async function adoptShipped(compactor: Compactor): Promise<number> {
  const { sql, objects, clock, log, logDir } = compactor;
  if (!objects.isRemote) return 0;
  const nowMs = clock().getTime();
  const old = (await objects.list(SEGMENT_COPIES)).filter(
    (object) => nowMs - object.modifiedAt.getTime() > ADOPT_AFTER_MS,
  );
  const ids = old.map((object) => segmentIdOf(object.key));
  const done = await catalogued(sql, ids);
  const here = new Set((await listSegments(logDir)).map((segment) => segment.segmentId));
  let adopted = 0;
  for (const segmentId of ids) {
    if (done.has(segmentId)) await objects.remove(segmentCopyName(segmentId));
    if (done.has(segmentId) || here.has(segmentId)) continue;
    const bytes = await objects.getBytes(segmentCopyName(segmentId));
    if (bytes === null) continue;
    await writeDurably(segmentPath(logDir, segmentId), bytes);
    log.warn({ segment: segmentId }, 'adopted a segment of a dead host');
    adopted += 1;
  }
  return adopted;
}
