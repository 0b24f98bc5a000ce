import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SECOND_MS } from '../../shared/time.ts';

export type FreeBytes = (dir: string) => Promise<number>;

const CHECK_EVERY_MS = SECOND_MS;

export const freeBytes: FreeBytes = async (dir) => {
  const info = await statfs(dir);
  return info.bavail * info.bsize;
};

/**
 * Whether the disk has room, from a check at most a second old. An unreadable folder counts as full.
 */
export function diskFloor(dir: string, floorMb: number, free: FreeBytes = freeBytes) {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let hasRoom: Promise<boolean> = Promise.resolve(true);
  return (): Promise<boolean> => {
    const now = performance.now();
    if (now - checkedAt >= CHECK_EVERY_MS) {
      checkedAt = now;
      hasRoom = free(dir).then(
        (bytes) => bytes >= floorMb * 1024 * 1024,
        () => false,
      );
    }
    return hasRoom;
  };
}

/** The folder itself, or the nearest existing parent before the first record. */
export async function nearestFolder(dir: string): Promise<string> {
  return existsSync(dir) || dirname(dir) === dir ? dir : nearestFolder(dirname(dir));
}
