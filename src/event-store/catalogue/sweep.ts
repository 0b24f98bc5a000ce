import { DAY_MS } from '../../shared/time.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import type { Sql } from '../../storage/postgres.ts';
import { orphansSince } from '../ownership/queries.ts';
import {
  forgetExpired,
  forgetFiles,
  forgetRuns,
  knownPaths,
  removableFiles,
  removableRuns,
} from './sweep-queries.ts';

const AT_ONCE = 500;

export type Sweeping = { sql: Sql; objects: ObjectStore };

/**
 * Removes retired files that no lease can still read, first from storage, then from the catalogue:
 * after a crash in between the removal is repeated. Returns how many went.
 */
export async function sweepRetired({ sql, objects }: Sweeping): Promise<number> {
  const files = await removableFiles(sql, AT_ONCE);
  for (const { path } of files) await objects.remove(path);
  await forgetFiles(
    sql,
    files.map((file) => file.fileId),
  );
  const runs = await removableRuns(sql, AT_ONCE);
  for (const { path } of runs) await objects.remove(path);
  await forgetRuns(
    sql,
    runs.map((run) => run.runId),
  );
  await forgetExpired(sql);
  return files.length + runs.length;
}

/**
 * Removes what a crash left in storage: objects a day old that the catalogue does not know. What
 * was there before a restore in place stays: it holds what came after the backup.
 */
export async function sweepOrphans({ sql, objects }: Sweeping, nowMs: number): Promise<number> {
  const sinceMs = (await orphansSince(sql))?.getTime() ?? 0;
  const old = (await objects.list('events/')).filter(
    ({ modifiedAt }) => nowMs - modifiedAt.getTime() > DAY_MS && modifiedAt.getTime() >= sinceMs,
  );
  let removed = 0;
  for (let offset = 0; offset < old.length; offset += AT_ONCE) {
    const keys = old.slice(offset, offset + AT_ONCE).map((object) => object.key);
    const known = await knownPaths(sql, keys);
    for (const key of keys.filter((one) => !known.has(one))) {
      await objects.remove(key);
      removed += 1;
    }
  }
  return removed;
}
