import { mkdirSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isMissing, moveDurably, writeDurably } from '../files.ts';
import { assertKey, type ObjectInfo, type ObjectStore } from './port.ts';

/** Unfinished files, on the same file system as the others, so that moving them is a rename. */
const SCRATCH = '.scratch';

/** Objects as files of one folder. */
export function localObjectStore(root: string): ObjectStore {
  const pathOf = (key: string) => {
    assertKey(key);
    return join(root, key);
  };
  mkdirSync(join(root, SCRATCH), { recursive: true, mode: 0o700 });
  return {
    scratchPath: (name) => join(root, SCRATCH, name),
    adopt: (scratchPath, key) => moveDurably(scratchPath, pathOf(key)),
    putBytes: (key, bytes) => writeDurably(pathOf(key), bytes),
    getBytes: async (key) => {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    isRemote: false,
    trim: async () => 0,
    localPath: async (key) => pathOf(key),
    remove: (key) => rm(pathOf(key), { force: true }),
    list: async (prefix) => {
      const folder = join(root, prefix);
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
        (error) => {
          if (isMissing(error)) return [];
          throw error;
        },
      );
      const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'));
      return Promise.all(
        files.map(async (entry): Promise<ObjectInfo> => {
          const path = join(entry.parentPath, entry.name);
          const info = await stat(path);
          return { key: relative(root, path), bytes: info.size, modifiedAt: info.mtime };
        }),
      );
    },
  };
}
