import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

type Cached = { path: string; bytes: number; usedAtMs: number };

async function listCached(dir: string): Promise<Cached[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  const files: Cached[] = [];
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.endsWith('.tmp')) continue;
    const path = join(entry.parentPath, entry.name);
    const info = await stat(path).catch(() => null);
    if (info) files.push({ path, bytes: info.size, usedAtMs: info.mtimeMs });
  }
  return files;
}

/**
 * Drops the copies that were not used for the longest time until `maxBytes` are left. Copies used
 * in the last `keepMs` stay whatever their size: a query may be reading them.
 */
export async function trimCache(
  dir: string,
  { maxBytes, keepMs, nowMs }: { maxBytes: number; keepMs: number; nowMs: number },
): Promise<number> {
  const files = (await listCached(dir)).toSorted((a, b) => a.usedAtMs - b.usedAtMs);
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  let removed = 0;
  for (const file of files) {
    if (bytes <= maxBytes || nowMs - file.usedAtMs < keepMs) break;
    await rm(file.path, { force: true });
    bytes -= file.bytes;
    removed += 1;
  }
  return removed;
}
