import { join } from 'node:path';
import { at } from '../../shared/assert.ts';
import { namesIn } from '../../storage/files.ts';
import { isOwnerAlive } from './owner.ts';

/** `<owner>.<number>.log`; all are sealed but the newest of a live owner. */
const SEGMENT_NAME = /^([a-z0-9-]+)\.(\d{8})\.log$/;

export type SegmentFile = { segmentId: string; ownerId: string; number: number; path: string };

export function segmentName(ownerId: string, number: number): string {
  return `${ownerId}.${String(number).padStart(8, '0')}`;
}

export function segmentOwner(segmentId: string): string {
  return at(segmentId.split('.'), 0);
}

export function segmentPath(dir: string, segmentId: string): string {
  return join(dir, `${segmentId}.log`);
}

export function segmentsAmong(dir: string, names: readonly string[]): SegmentFile[] {
  return names.toSorted().flatMap((name) => {
    const match = SEGMENT_NAME.exec(name);
    if (!match?.[1] || !match[2]) return [];
    const segmentId = name.slice(0, -'.log'.length);
    return [{ segmentId, ownerId: match[1], number: Number(match[2]), path: join(dir, name) }];
  });
}

export const listSegments = async (dir: string): Promise<SegmentFile[]> =>
  segmentsAmong(dir, await namesIn(dir));

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
