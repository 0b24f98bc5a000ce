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
/** Files whose checksum this process has found to agree; they never change. */
const verified = new LRUCache<string, true>({ max: 100_000 });
/** A file that was removed keeps its place on the disk while it is mapped. */
const KEPT_MS = 60 * SECOND_MS;
/** What was opened lately, with its pages mapped already. */
const lately = new LRUCache<string, Projection>({ max: 1_000, ttl: KEPT_MS, ttlAutopurge: true });

/** The projection in a file of this host, read as it is needed; null when it is missing or damaged. */
export function openProjection(path: string): Projection | null {
  try {
    const { size, ino, mtimeMs } = statSync(path);
    if (size < PREFIX_BYTES) return null;
    const file = `${path} ${ino} ${size} ${mtimeMs}`;
    const known = lately.get(file);
    if (known) return known;
    // Private: nothing that this process did to it would reach the file.
    const bytes = Bun.mmap(path, { shared: false });
    const projection = readProjection(bytes, verified.has(file), { path });
    verified.set(file, true);
    lately.set(file, projection);
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

/** Fetches and opens the projections of an app's files; `lost` are those that are missing, damaged or another app's. */
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
    // A store that is away, or a full disk, has lost nothing.
    const isLost = path !== null || (await isGone(objects, projection));
    if (opened === null && isLost) lost.push(projection);
    return { ...file, projection: opened };
  };
  const opened = await Promise.all(files.map((file) => limited(() => open(file))));
  return { opened, lost };
}
