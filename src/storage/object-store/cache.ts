import { readdir, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DAY_MS } from '../../shared/time.ts';
import { SCRATCH } from './port.ts';

type Cached = { path: string; bytes: number; usedAtMs: number };

/** Perhaps a copy of what is gone from the bucket. Spans a weekend. */
const UNUSED_MS = 3 * DAY_MS;

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
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || relative(dir, path).startsWith(`${SCRATCH}/`)) continue;
    const info = await stat(path).catch(() => null);
    if (info) files.push({ path, bytes: info.size, usedAtMs: info.mtimeMs });
  }
  return files;
}

/** Spares recent copies, which a query may be reading. */
export async function trimCache(
  dir: string,
  { maxBytes, keepMs, nowMs }: CacheLimits & { nowMs: number },
): Promise<number> {
  const files = (await listCached(dir)).toSorted((a, b) => a.usedAtMs - b.usedAtMs);
  let removed = 0;
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  for (const file of files) {
    const unusedMs = nowMs - file.usedAtMs;
    if (unusedMs < UNUSED_MS && (bytes <= maxBytes || unusedMs < keepMs)) break;
    await rm(file.path, { force: true });
    bytes -= file.bytes;
    removed += 1;
  }
  return removed;
}
