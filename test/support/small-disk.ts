import { afterAll } from 'bun:test';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SmallDisk = {
  dir: string;
  /** Leaves nothing of it. */
  fill: () => Promise<void>;
  /** There is room again. */
  clear: () => Promise<void>;
  /** Root, whom no permission stops, included. */
  setWritable: (isWritable: boolean) => void;
};

/** A file system of its own that a test may fill; null where mounting is not allowed. */
export function smallDisk(megabytes: number): SmallDisk | null {
  const dir = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const mount = ['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir];
  if (Bun.which('mount') === null || Bun.spawnSync(mount).exitCode !== 0) {
    rmdirSync(dir);
    return null;
  }
  afterAll(() => {
    // Lazy: whoever still has files of it open keeps them until the end.
    Bun.spawnSync(['umount', '--lazy', dir]);
    rmdirSync(dir);
  });
  return {
    dir,
    clear: async () => {
      for (const name of await readdir(dir)) {
        if (name.startsWith('full-')) await rm(join(dir, name));
      }
    },
    setWritable: (isWritable) => {
      const remount = ['mount', '-o', `remount,${isWritable ? 'rw' : 'ro'}`, dir];
      const { exitCode, stderr } = Bun.spawnSync(remount);
      if (exitCode !== 0) throw new Error(stderr.toString());
    },
    fill: async () => {
      const block = new Uint8Array(1024 * 1024);
      for (let size = block.length, n = 0; size >= 1; n += 1) {
        const written = await writeFile(join(dir, `full-${n}`), block.subarray(0, size)).then(
          () => true,
          () => false,
        );
        if (!written) size = Math.floor(size / 4);
      }
    },
  };
}
