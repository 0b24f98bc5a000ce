import { statSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import type { AppScope } from '../../shared/app.ts';
import { limitConcurrency } from '../../shared/concurrency.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { isMissing } from '../../storage/files.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import { PREFIX_BYTES } from './format.ts';
import { DamagedProjection, type Projection, readProjection } from './projection.ts';

const FETCHES_AT_ONCE = 8;
/** Files never change once verified. */
const verified = new LRUCache<string, true>({ max: 100_000 });
/** A deleted file keeps its disk space while mapped. */
const KEPT_MS = 60 * SECOND_MS;
/** Keeps pages mapped. */
const recentProjections = new LRUCache<string, Projection>({
  max: 1_000,
  ttl: KEPT_MS,
  ttlAutopurge: true,
});

/** Null when missing or damaged. */
export function openProjection(path: string): Projection | null {
  try {
    const { size, ino, mtimeMs } = statSync(path);
    if (size < PREFIX_BYTES) return null;
    const file = `${path} ${ino} ${size} ${mtimeMs}`;
    const known = recentProjections.get(file);
    if (known) return known;
    // Private: no write reaches the file.
    const bytes = Bun.mmap(path, { shared: false });
    const projection = readProjection(bytes, verified.has(file), { path });
    verified.set(file, true);
    recentProjections.set(file, projection);
    return projection;
  } catch (thrown) {
    if (thrown instanceof DamagedProjection || isMissing(thrown)) return null;
    throw thrown;
  }
}

async function isGone(objects: Pick<ObjectStore, 'list'>, key: string): Promise<boolean> {
  const found = await objects.list(key).catch(() => null);
  return found !== null && !found.some((object) => object.key === key);
}

const belongsTo = ({ owner }: Projection, { orgId, appId }: AppScope): boolean =>
  owner === null || (owner.orgId === orgId && owner.appId === appId);

/** `lost`: missing, damaged or of another app. */
export async function openProjections<T extends { projection: string | null }>(
  objects: Pick<ObjectStore, 'list' | 'localPath'>,
  files: readonly T[],
  scope: AppScope,
): Promise<{
  opened: (Omit<T, 'projection'> & { projection: Projection | null })[];
  lost: string[];
}> {
  const limited = limitConcurrency(FETCHES_AT_ONCE);
  const lost: string[] = [];
  const open = async ({ projection, ...file }: T) => {
    if (projection === null) return { ...file, projection };
    const path = await objects.localPath(projection).catch(() => null);
    const found = path === null ? null : openProjection(path);
    const opened = found && belongsTo(found, scope) ? found : null;
    // An unavailable store or a full disk loses nothing.
    const isLost = path !== null || (await isGone(objects, projection));
    if (opened === null && isLost) lost.push(projection);
    return { ...file, projection: opened };
  };
  const opened = await Promise.all(files.map((file) => limited(() => open(file))));
  return { opened, lost };
}
