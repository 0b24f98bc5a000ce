import { readFile } from 'node:fs/promises';
import { MINUTE_MS } from '../../../shared/time.ts';
import { writeDurably } from '../../../storage/files.ts';
import { catalogued } from '../catalogue/store.ts';
import { listSegments, type SegmentFile, sealedSegments, segmentPath } from '../log/segments.ts';
import type { Compaction } from './compact.ts';

const PREFIX = 'segments/';
/** A host that has not compacted its own segment after this is taken to be gone. */
const ADOPT_AFTER_MS = 15 * MINUTE_MS;

const objectKey = (segmentId: string) => `${PREFIX}${segmentId}.log`;
const segmentIdOf = (key: string) => key.slice(PREFIX.length, -'.log'.length);

type Shipping = Pick<Compaction, 'objects' | 'logDir' | 'sql' | 'clock' | 'log'>;

/**
 * Copies sealed segments to a remote object store, so that what is not in files yet survives the
 * loss of this host, also while PostgreSQL is away. `shipped` remembers what is there already.
 */
export async function shipSegments(s: Shipping, shipped: Set<string>): Promise<void> {
  if (!s.objects.isRemote) return;
  const sealed = await sealedSegments(s.logDir);
  for (const { segmentId, path } of sealed) {
    if (shipped.has(segmentId)) continue;
    const bytes = await readFile(path).catch(() => null);
    if (bytes === null || bytes.length === 0) continue;
    await s.objects.putBytes(objectKey(segmentId), bytes);
    shipped.add(segmentId);
  }
  const present = new Set(sealed.map((segment) => segment.segmentId));
  for (const segmentId of shipped) if (!present.has(segmentId)) shipped.delete(segmentId);
}

/** Takes the copies back out once the segments are in files. */
export async function unship(s: Shipping, segments: readonly SegmentFile[]): Promise<void> {
  if (!s.objects.isRemote) return;
  for (const { segmentId } of segments) await s.objects.remove(objectKey(segmentId));
}

/** Fetches the segments of hosts that are gone into this host's log, to be compacted like its own. */
export async function adoptShipped(s: Shipping): Promise<number> {
  if (!s.objects.isRemote) return 0;
  const nowMs = s.clock().getTime();
  const old = (await s.objects.list(PREFIX)).filter(
    (object) => nowMs - object.modifiedAt.getTime() > ADOPT_AFTER_MS,
  );
  const ids = old.map((object) => segmentIdOf(object.key));
  const done = await catalogued(s.sql, ids);
  const here = new Set((await listSegments(s.logDir)).map((segment) => segment.segmentId));
  let adopted = 0;
  for (const segmentId of ids) {
    if (done.has(segmentId)) await s.objects.remove(objectKey(segmentId));
    if (done.has(segmentId) || here.has(segmentId)) continue;
    const bytes = await s.objects.getBytes(objectKey(segmentId));
    if (bytes === null) continue;
    await writeDurably(segmentPath(s.logDir, segmentId), bytes);
    s.log.warn({ segment: segmentId }, 'adopted a segment of a host that is gone');
    adopted += 1;
  }
  return adopted;
}
