import { DAY_MS } from '../../shared/time.ts';
import { EVENT_OBJECTS, PROJECTIONS } from '../names.ts';
import type { EventStore } from '../store.ts';
import { columnsOfFiles, forgetColumns, unusedColumns } from './column-queries.ts';
import {
  deleteExpiredRows,
  deleteRetiredRows,
  knownPaths,
  orphansSince,
  removable,
} from './sweep-queries.ts';

const BATCH = 500;

type SweepDeps = Pick<EventStore, 'sql' | 'objects'>;

/** Objects before rows: a crash only repeats the deletion. */
export async function sweepRetired({ sql, objects }: SweepDeps): Promise<number> {
  const retired = await removable(sql, BATCH);
  const paths = retired.map(({ path }) => path);
  for (const column of await columnsOfFiles(sql, paths)) await objects.remove(column);
  for (const { path, projection } of retired) {
    if (projection !== null) await objects.remove(projection);
    await objects.remove(path);
  }
  await deleteRetiredRows(sql, paths);
  await deleteExpiredRows(sql);
  return retired.length;
}

export async function sweepColumns({ sql, objects }: SweepDeps): Promise<number> {
  const unused = await unusedColumns(sql, BATCH);
  for (const path of unused) await objects.remove(path);
  if (unused.length > 0) await forgetColumns(sql, unused);
  return unused.length;
}

/** Over a day old; those older than a restore in place postdate the backup. */
export async function sweepOrphans({ sql, objects }: SweepDeps, nowMs: number): Promise<number> {
  const sinceMs = (await orphansSince(sql))?.getTime() ?? -Infinity;
  const listed = [...(await objects.list(EVENT_OBJECTS)), ...(await objects.list(PROJECTIONS))];
  const old = listed.filter(
    ({ modifiedAt }) => nowMs - modifiedAt.getTime() > DAY_MS && modifiedAt.getTime() >= sinceMs,
  );
  let removed = 0;
  for (let offset = 0; offset < old.length; offset += BATCH) {
    const keys = old.slice(offset, offset + BATCH).map((object) => object.key);
    const catalogued = await knownPaths(sql, keys);
    for (const key of keys.filter((name) => !catalogued.has(name))) {
      await objects.remove(key);
      removed += 1;
    }
  }
  return removed;
}
