import { MINUTE_MS } from '../../shared/time.ts';
import { writeDurably } from '../../storage/files.ts';
import { catalogued } from '../catalogue/queries.ts';
import type { Compaction } from '../compaction/compact.ts';
import { listSegments, type SegmentFile, segmentPath } from '../log/segments.ts';
import { objectKey, SEGMENTS, segmentIdOf } from './keys.ts';

/** A host that has not compacted its own segment after this is taken to be gone. */
const ADOPT_AFTER_MS = 15 * MINUTE_MS;

type Adopting = Pick<Compaction, 'objects' | 'logDir' | 'sql' | 'clock' | 'log'>;

/** Takes the copies back out once the segments are in files. */
export async function unship(a: Adopting, segments: readonly SegmentFile[]): Promise<void> {
  if (!a.objects.isRemote) return;
  for (const { segmentId } of segments) await a.objects.remove(objectKey(segmentId));
}

/** Fetches the segments of hosts that are gone into this host's log, to be compacted like its own. */
export async function adoptShipped(a: Adopting): Promise<number> {
  if (!a.objects.isRemote) return 0;
  const nowMs = a.clock().getTime();
  const old = (await a.objects.list(SEGMENTS)).filter(
    (object) => nowMs - object.modifiedAt.getTime() > ADOPT_AFTER_MS,
  );
  const ids = old.map((object) => segmentIdOf(object.key));
  const done = await catalogued(a.sql, ids);
  const here = new Set((await listSegments(a.logDir)).map((segment) => segment.segmentId));
  let adopted = 0;
  for (const segmentId of ids) {
    if (done.has(segmentId)) await a.objects.remove(objectKey(segmentId));
    if (done.has(segmentId) || here.has(segmentId)) continue;
    const bytes = await a.objects.getBytes(objectKey(segmentId));
    if (bytes === null) continue;
    await writeDurably(segmentPath(a.logDir, segmentId), bytes);
    a.log.warn({ segment: segmentId }, 'adopted a segment of a host that is gone');
    adopted += 1;
  }
  return adopted;
}
