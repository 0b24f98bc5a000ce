import { statSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import type { AppScope } from '../../shared/app.ts';
import { limitConcurrency } from '../../shared/concurrency.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { isMissing } from '../../storage/files.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import { type Column, readBuilt, readColumn, withColumns } from './column.ts';
import { PREFIX_BYTES } from './format.ts';
import {
  DamagedProjection,
  type Projection,
  type ProjectionOrigin,
  readProjection,
} from './projection.ts';

const FETCHES_AT_ONCE = 8;
/** Files never change once verified. */
const verified = new LRUCache<string, true>({ max: 100_000 });
/** A deleted file keeps its disk space while mapped. */
const KEPT_MS = 60 * SECOND_MS;
type Opened = Projection | Column;

const recentlyOpened = <T extends Opened>() =>
  new LRUCache<string, T>({ max: 1_000, ttl: KEPT_MS, ttlAutopurge: true });
const recentProjections = recentlyOpened<Projection>();
const recentColumns = recentlyOpened<Column>();

function openMapped<T extends Opened>(
  path: string,
  recent: LRUCache<string, T>,
  read: (bytes: Uint8Array, isVerified: boolean, origin: { path: string }) => T,
  isVerified: boolean,
): T | null {
  try {
    const { size, ino, mtimeMs } = statSync(path);
    if (size < PREFIX_BYTES) return null;
    const file = `${path} ${ino} ${size} ${mtimeMs}`;
    const known = recent.get(file);
    if (known) return known;
    // Private: no write reaches the file.
    const bytes = Bun.mmap(path, { shared: false });
    const opened = read(bytes, isVerified || verified.has(file), { path });
    verified.set(file, true);
    recent.set(file, opened);
    return opened;
  } catch (thrown) {
    if (thrown instanceof DamagedProjection || isMissing(thrown)) return null;
    throw thrown;
  }
}

/** Null when missing or damaged. */
export const openProjection = (path: string, isVerified = false): Projection | null =>
  openMapped(path, recentProjections, readProjection, isVerified);

const openColumn = (path: string, isVerified = false): Column | null =>
  openMapped(path, recentColumns, readColumn, isVerified);

type Combined = { columns: readonly Column[]; opened: Projection };

const combined = new WeakMap<Projection, Combined>();

function combine(
  projection: Projection,
  columns: readonly Column[],
  paths: readonly string[],
): Projection {
  const { origin } = projection;
  if (columns.length === 0 || !('path' in origin)) return projection;
  const known = combined.get(projection);
  if (known && known.columns.length === columns.length) {
    if (known.columns.every((column, index) => column === columns[index])) return known.opened;
  }
  const opened = { ...withColumns(projection, columns), origin: { ...origin, columns: paths } };
  combined.set(projection, { columns, opened });
  return opened;
}

/** From where another thread has it, verified; null when that is gone. */
export function openFrom(origin: ProjectionOrigin): Projection | null {
  if ('bytes' in origin) return readBuilt(origin);
  const { path, columns = [] } = origin;
  const projection = openProjection(path, true);
  const opened = columns.map((column) => openColumn(column, true));
  const found = opened.filter((column) => column !== null);
  if (projection === null || found.length < opened.length) return null;
  return combine(projection, found, columns);
}

async function isGone(objects: Pick<ObjectStore, 'list'>, key: string): Promise<boolean> {
  const found = await objects.list(key).catch(() => null);
  return found !== null && !found.some((object) => object.key === key);
}

const belongsTo = ({ owner }: Projection, { orgId, appId }: AppScope): boolean =>
  owner === null || (owner.orgId === orgId && owner.appId === appId);

async function openColumns(
  objects: Pick<ObjectStore, 'list' | 'localPath'>,
  projection: Projection,
  keys: readonly string[],
): Promise<{ projection: Projection; lost: string[] }> {
  const lost: string[] = [];
  const paths: string[] = [];
  const columns: Column[] = [];
  for (const key of keys) {
    const path = await objects.localPath(key).catch(() => null);
    const column = path === null ? null : openColumn(path);
    if (path !== null && column !== null) {
      paths.push(path);
      columns.push(column);
    } else if (path !== null || (await isGone(objects, key))) lost.push(key);
  }
  return { projection: combine(projection, columns, paths), lost };
}

/** `lost`: missing, damaged, of another app, or of fewer rows than its file. */
export async function openProjections<
  T extends { rows: number; projection: string | null; columns?: readonly string[] },
>(
  objects: Pick<ObjectStore, 'list' | 'localPath'>,
  files: readonly T[],
  scope: AppScope,
): Promise<{
  opened: (Omit<T, 'columns' | 'projection'> & { projection: Projection | null })[];
  lost: string[];
  lostColumns: string[];
}> {
  const limited = limitConcurrency(FETCHES_AT_ONCE);
  const lost: string[] = [];
  const lostColumns: string[] = [];
  const open = async ({ projection, columns = [], ...file }: T) => {
    if (projection === null) return { ...file, projection };
    const path = await objects.localPath(projection).catch(() => null);
    const found = path === null ? null : openProjection(path);
    const isWhole = found !== null && found.rows === file.rows && belongsTo(found, scope);
    const opened = isWhole ? found : null;
    // An unavailable store or a full disk loses nothing.
    const isLost = path !== null || (await isGone(objects, projection));
    if (opened === null && isLost) lost.push(projection);
    if (opened === null || columns.length === 0) return { ...file, projection: opened };
    const whole = await openColumns(objects, opened, columns);
    lostColumns.push(...whole.lost);
    return { ...file, projection: whole.projection };
  };
  const opened = await Promise.all(files.map((file) => limited(() => open(file))));
  return { opened, lost, lostColumns };
}
