import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../../shared/time.ts';
import { isMissing, makeFolder, moveDurably, namesIn } from '../files.ts';
import { assertKey, type ObjectInfo, type ObjectStore } from './port.ts';

/** Unfinished files, on the same file system so that moves are renames. */
const SCRATCH = '.scratch';

async function readInfo(path: string, key: string): Promise<ObjectInfo | null> {
  try {
    const info = await stat(path);
    return { key, bytes: info.size, modifiedAt: info.mtime };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Tolerates concurrent removals only. */
async function listBelow(root: string, folder: string): Promise<ObjectInfo[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const found = await Promise.all(
    entries.map(async (entry): Promise<(ObjectInfo | null)[]> => {
      const key = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (key === SCRATCH || key.endsWith('.tmp')) return [];
      if (entry.isDirectory()) return listBelow(root, key);
      return entry.isFile() ? [await readInfo(join(root, key), key)] : [];
    }),
  );
  return found.flat().filter((one) => one !== null);
}

/** Crash leftovers; no write takes a day. */
async function removeAbandoned(scratch: string, nowMs: number): Promise<number> {
  let removed = 0;
  for (const name of await namesIn(scratch)) {
    const info = await readInfo(join(scratch, name), name);
    if (info === null || nowMs - info.modifiedAt.getTime() < DAY_MS) continue;
    await rm(join(scratch, name), { force: true });
    removed += 1;
  }
  return removed;
}

export function localObjectStore(root: string): ObjectStore {
  const pathOf = (key: string) => {
    assertKey(key);
    return join(root, key);
  };
  makeFolder(join(root, SCRATCH));
  return {
    scratchPath: (name) => join(root, SCRATCH, name),
    adopt: (scratchPath, key) => moveDurably(scratchPath, pathOf(key)),
    putBytes: async (key, bytes) => {
      const scratch = join(root, SCRATCH, crypto.randomUUID());
      await writeFile(scratch, bytes, { mode: 0o600 });
      await moveDurably(scratch, pathOf(key));
    },
    getBytes: async (key) => {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    isRemote: false,
    trim: (nowMs) => removeAbandoned(join(root, SCRATCH), nowMs),
    localPath: async (key) => pathOf(key),
    remove: (key) => rm(pathOf(key), { force: true }),
    list: (prefix) => listBelow(root, prefix.replace(/\/$/, '')),
  };
}
