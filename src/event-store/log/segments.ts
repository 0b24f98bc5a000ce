import { join } from 'node:path';
import { at } from '../../shared/assert.ts';
import { namesIn } from '../../storage/files.ts';
import { isOwnerAlive } from './owner.ts';

/** `<owner>.<number>.log`: the newest of a live owner may still grow, every other is sealed. */
const SEGMENT_NAME = /^([a-z0-9-]+)\.(\d{8})\.log$/;

export type SegmentFile = { segmentId: string; ownerId: string; number: number; path: string };

export function segmentName(ownerId: string, number: number): string {
  return `${ownerId}.${String(number).padStart(8, '0')}`;
}

/** The owner of a segment, by its name. */
export function ownerOf(segmentId: string): string {
  return at(segmentId.split('.'), 0);
}

export function segmentPath(dir: string, segmentId: string): string {
  return join(dir, `${segmentId}.log`);
}

/** Every segment of the folder, each owner's in the order they were written. */
export async function listSegments(dir: string): Promise<SegmentFile[]> {
  const segments: SegmentFile[] = [];
  for (const name of (await namesIn(dir)).toSorted()) {
    const match = SEGMENT_NAME.exec(name);
    if (!match?.[1] || !match[2]) continue;
    segments.push({
      segmentId: name.slice(0, -'.log'.length),
      ownerId: match[1],
      number: Number(match[2]),
      path: join(dir, name),
    });
  }
  return segments;
}

/** Segments that no process writes any more: rotated ones and those of dead processes. */
export async function sealedSegments(dir: string): Promise<SegmentFile[]> {
  const segments = await listSegments(dir);
  const newest = new Map<string, number>();
  for (const segment of segments) {
    newest.set(segment.ownerId, Math.max(newest.get(segment.ownerId) ?? 0, segment.number));
  }
  const alive = new Map<string, boolean>();
  for (const ownerId of newest.keys()) alive.set(ownerId, await isOwnerAlive(dir, ownerId));
  return segments.filter(
    (segment) => !alive.get(segment.ownerId) || segment.number !== newest.get(segment.ownerId),
  );
}
