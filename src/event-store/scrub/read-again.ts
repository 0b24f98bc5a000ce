import { rm } from 'node:fs/promises';
import { isMissing } from '../../storage/files.ts';
import { isNotThere } from '../../storage/object-store/bucket-failure.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import { readColumn } from '../projection/column.ts';
import { DamagedProjection, readProjection } from '../projection/projection.ts';
import * as blocks from '../sums/blocks.ts';

export type StoredPlace = Pick<ObjectStore, 'isRemote' | 'localPath'>;

export type Found = { sums: blocks.Sums | null; fault: string | null };

async function ownFault(key: string, path: string): Promise<string | null> {
  const isProjection = key.endsWith('.projection');
  if (!isProjection && !key.endsWith('.column')) return null;
  try {
    const bytes = await Bun.file(path).bytes();
    if (isProjection) readProjection(bytes, false, { path });
    else readColumn(bytes);
    return null;
  } catch (thrown) {
    if (thrown instanceof DamagedProjection) return thrown.message;
    throw thrown;
  }
}

export async function readAgain(
  place: StoredPlace,
  { path: key, stored }: { path: string; stored: blocks.Sums | null },
  pace: blocks.Pace = {},
): Promise<Found> {
  try {
    const path = await place.localPath(key);
    try {
      const sums = await blocks.readSums(path, pace);
      const fault = stored ? blocks.differenceOf(stored, sums) : await ownFault(key, path);
      return { sums, fault };
    } finally {
      if (place.isRemote) await rm(path, { force: true });
    }
  } catch (thrown) {
    if (isMissing(thrown) || isNotThere(thrown)) return { sums: null, fault: 'it is missing' };
    if (blocks.isUnreadable(thrown)) return { sums: null, fault: blocks.UNREADABLE };
    throw thrown;
  }
}
