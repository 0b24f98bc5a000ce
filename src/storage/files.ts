import { chmodSync, closeSync, fsyncSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { open, readdir, rename, statfs, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

export function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
}

export async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch((thrown: unknown) => {
    if (isMissing(thrown)) return [];
    throw thrown;
  });
}

export async function freeBytes(dir: string): Promise<number> {
  const info = await statfs(dir);
  return info.bavail * info.bsize;
}

export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Synced in its parent, as each that it makes on the way. */
export function makeFolder(path: string, mode = 0o700): void {
  const first = mkdirSync(path, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = resolve(path); made.length >= first.length; made = dirname(made)) {
    const parent = openSync(dirname(made), 'r');
    fsyncSync(parent);
    closeSync(parent);
  }
}

/** Atomic and durable. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await syncPath(from);
  makeFolder(dirname(to), 0o777);
  await rename(from, to);
  await syncPath(dirname(to));
}

export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  makeFolder(dirname(path), 0o777);
  await writeFile(temporary, bytes, { mode: 0o600 });
  await moveDurably(temporary, path);
}

/** In `/tmp` another user may have created it. Throws when it is not ours. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  const isOurs = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
  if (!isOurs) {
    throw new Error(`${path} belongs to another account. Remove it, or set a shorter DATA_DIR.`);
  }
  if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700);
}
