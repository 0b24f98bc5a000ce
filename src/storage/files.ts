import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes what a file holds durable, or the names in a folder when given one. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Moves a finished file into place so that it is there whole, also after a power cut, or not. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await syncPath(from);
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
  await syncPath(dirname(to));
}

export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(temporary, bytes, { mode: 0o600 });
  await moveDurably(temporary, path);
}
