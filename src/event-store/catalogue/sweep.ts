import { DAY_MS, HOUR_MS } from '../../shared/time.ts';
import type { ObjectInfo } from '../../storage/object-store/port.ts';
import { EVENT_OBJECTS, PROJECTIONS } from '../objects/names.ts';
import type { EventStore } from '../store.ts';
import { columnsOfFiles, forgetColumns, unusedColumns } from './column-queries.ts';
import * as queries from './sweep-queries.ts';

const BATCH = 500;
/** A database that went back in time lacks acknowledged files. */
const EVENTS_KEPT_MS = 30 * DAY_MS;
const PROJECTIONS_KEPT_MS = DAY_MS;
/** To its commit; jobs end earlier. */
const LONGEST_WRITE_MS = HOUR_MS;

type SweepDeps = Pick<EventStore, 'sql' | 'objects'>;

/** Objects before rows: a crash only repeats the deletion. */
export async function sweepRetired({ sql, objects }: SweepDeps): Promise<number> {
  if (await queries.commitsLostAt(sql)) return 0;
  const retired = await queries.removable(sql, BATCH);
  const paths = retired.map(({ path }) => path);
  for (const column of await columnsOfFiles(sql, paths)) await objects.remove(column);
  for (const { path, projection } of retired) {
    if (projection !== null) await objects.remove(projection);
    await objects.remove(path);
  }
  await queries.deleteRetiredRows(sql, paths);
  await queries.deleteExpiredRows(sql);
  return retired.length;
}

export async function sweepColumns({ sql, objects }: SweepDeps): Promise<number> {
  if (await queries.commitsLostAt(sql)) return 0;
  const unused = await unusedColumns(sql, BATCH);
  for (const path of unused) await objects.remove(path);
  if (unused.length > 0) await forgetColumns(sql, unused);
  return unused.length;
}

async function findOrphans(
  { sql, objects }: SweepDeps,
  prefix: string,
  beforeMs: number,
): Promise<ObjectInfo[]> {
  const listed = await objects.list(prefix);
  const old = listed.filter(({ modifiedAt }) => modifiedAt.getTime() < beforeMs);
  const orphans: ObjectInfo[] = [];
  for (let offset = 0; offset < old.length; offset += BATCH) {
    const batch = old.slice(offset, offset + BATCH);
    const keys = batch.map(({ key }) => key);
    const catalogued = await queries.knownPaths(sql, keys);
    orphans.push(...batch.filter(({ key }) => !catalogued.has(key)));
  }
  return orphans;
}

/** Orphans older than a restore in place postdate the backup and stay. */
export async function sweepOrphans(
  deps: SweepDeps,
  nowMs: number,
  backupsKeptMs = 0,
): Promise<number> {
  const { sql, objects } = deps;
  const isLost = (await queries.commitsLostAt(sql)) !== null;
  const keptMs = Math.max(EVENTS_KEPT_MS, backupsKeptMs);
  const sinceMs = (await queries.orphansSince(sql))?.getTime() ?? -Infinity;
  const events = await findOrphans(deps, EVENT_OBJECTS, nowMs - LONGEST_WRITE_MS);
  const projections = await findOrphans(deps, PROJECTIONS, nowMs - PROJECTIONS_KEPT_MS);
  const isDue = ({ modifiedAt }: ObjectInfo) => modifiedAt.getTime() < nowMs - keptMs;
  const due = [...events.filter(isDue), ...projections].filter(
    ({ modifiedAt }) => !isLost && modifiedAt.getTime() >= sinceMs,
  );
  for (const { key } of due) await objects.remove(key);
  const removed = new Set(due);
  const left = events.filter((orphan) => !removed.has(orphan) && orphan.key.endsWith('.parquet'));
  await queries.noteOrphans(sql, {
    files: left.length,
    bytes: left.reduce((sum, { bytes }) => sum + bytes, 0),
  });
  return due.length;
}
