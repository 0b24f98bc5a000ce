import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, moveDurably } from '../files.ts';
import { assertKey, SCRATCH, type ObjectInfo, type ObjectStore } from './port.ts';
import { openScratch } from './scratch.ts';

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

export function localObjectStore(root: string): ObjectStore {
  const pathOf = (key: string) => {
    assertKey(key);
    return join(root, key);
  };
  const scratch = openScratch(root);
  return {
    scratchPath: scratch.path,
    adopt: (scratchPath, key) => moveDurably(scratchPath, pathOf(key)),
    putBytes: async (key, bytes) => {
      const path = scratch.path(crypto.randomUUID());
      await writeFile(path, bytes, { mode: 0o600 });
      await moveDurably(path, pathOf(key));
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
    trim: async (nowMs) => scratch.trim(nowMs),
    localPath: async (key) => pathOf(key),
    remove: (key) => rm(pathOf(key), { force: true }),
    list: (prefix) => listBelow(root, prefix.replace(/\/$/, '')),
  };
}
