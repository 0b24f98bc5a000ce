import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

type Cached = { path: string; bytes: number; usedAtMs: number };

/** Age at which an untouched partial download counts as abandoned. */
const LEFTOVER_MS = 60 * 60 * 1_000;

export type CacheLimits = {
  maxBytes: number;
  keepMs: number;
};

export class CacheFull extends Error {
  constructor(freeBytes: number) {
    super(`Not enough disk space for more event files: ${freeBytes} bytes are free.`);
    this.name = 'CacheFull';
  }
}

async function listCached(dir: string): Promise<Cached[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  const files: Cached[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const info = await stat(path).catch(() => null);
    if (info) files.push({ path, bytes: info.size, usedAtMs: info.mtimeMs });
  }
  return files;
}

const isDownload = ({ path }: Cached) => path.endsWith('.tmp');

/** Spares recent copies, which a query may be reading. */
export async function trimCache(
  dir: string,
  { maxBytes, keepMs, nowMs }: CacheLimits & { nowMs: number },
): Promise<number> {
  const all = (await listCached(dir)).toSorted((a, b) => a.usedAtMs - b.usedAtMs);
  let removed = 0;
  for (const file of all.filter(isDownload)) {
    if (nowMs - file.usedAtMs < LEFTOVER_MS) break;
    await rm(file.path, { force: true });
    removed += 1;
  }
  const files = all.filter((file) => !isDownload(file));
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  for (const file of files) {
    if (bytes <= maxBytes || nowMs - file.usedAtMs < keepMs) break;
    await rm(file.path, { force: true });
    bytes -= file.bytes;
    removed += 1;
  }
  return removed;
}
