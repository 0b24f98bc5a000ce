import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { SECOND_MS } from '../../shared/time.ts';
import { freeBytes } from '../../storage/files.ts';

const CHECK_EVERY_MS = SECOND_MS;

/** Checked at most once a second. An unreadable folder counts as full. */
export function diskFloor(dir: string, floorMb: number, free = freeBytes) {
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

export async function nearestFolder(dir: string): Promise<string> {
  return existsSync(dir) || dirname(dir) === dir ? dir : nearestFolder(dirname(dir));
}
