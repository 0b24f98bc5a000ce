import { copyFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { livePaths, SEGMENT_COPIES } from '../../event-store/place.ts';
import { isMissing, makeFolder, namesIn, syncPath, writeDurably } from '../../storage/files.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import type { Db } from '../../storage/postgres.ts';
import { FOLDERS } from './manifest.ts';

export async function copyDurably(from: string, to: string): Promise<boolean> {
  makeFolder(dirname(to));
  try {
    await copyFile(from, to);
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw thrown;
  }
  await syncPath(to);
  return true;
}

export async function missingFiles(db: Db, present: Iterable<string>): Promise<string[]> {
  const stored = new Set(present);
  return (await livePaths(db)).filter((path) => !stored.has(path));
}

const SEGMENT = /\.log$/;

/** Without the claims of the writing processes. */
export async function copySegments(from: string, to: string): Promise<string[]> {
  const copied: string[] = [];
  for (const name of (await namesIn(from)).filter((name) => SEGMENT.test(name)).toSorted()) {
    if (await copyDurably(join(from, name), join(to, name))) copied.push(name);
  }
  return copied;
}

/** A segment that disappears meanwhile was compacted. */
export async function copyShipped(
  objects: ObjectStore,
  to: string,
  present: readonly string[],
): Promise<string[]> {
  if (!objects.isRemote) return [];
  const copied: string[] = [];
  for (const { key } of await objects.list(SEGMENT_COPIES)) {
    const name = basename(key);
    if (present.includes(name)) continue;
    const bytes = await objects.getBytes(key);
    if (bytes === null) continue;
    await writeDurably(join(to, name), bytes);
    copied.push(name);
  }
  return copied;
}

export async function restoreSegments(
  dir: string,
  names: readonly string[],
  logDir: string,
): Promise<void> {
  const present = new Set(await namesIn(logDir));
  const lacking = names.filter((name) => !present.has(name));
  try {
    for (const name of lacking) {
      const copied = await copyDurably(join(dir, FOLDERS.log, name), join(logDir, name));
      if (!copied) throw new Error(`${name} is missing in the backup.`);
    }
  } catch (thrown) {
    for (const name of lacking) await rm(join(logDir, name), { force: true }).catch(() => null);
    throw thrown;
  }
}
