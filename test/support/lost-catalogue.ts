import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { livePaths } from '../../src/event-store/ownership/queries.ts';
import type { Compactor } from '../../src/event-store/parquet/compactor.ts';
import { namesIn } from '../../src/storage/files.ts';
import type { Sql } from '../../src/storage/postgres.ts';
import type { TestEventStore } from './event-store.ts';

/** What is made from files; tombstones and deleted apps only a database has. */
const TABLES = [
  'event_files',
  'event_file_apps',
  'event_key_runs',
  'event_people',
  'event_alias_counts',
  'event_segments',
] as const;

/** The database is gone, but for who was erased. */
export async function loseCatalogue(sql: Sql): Promise<void> {
  for (const table of TABLES) await sql`DELETE FROM ${sql(table)}`;
  await sql`UPDATE event_catalogue SET seq = 0`;
}

/** A backup of the catalogue, its files and the log; the way back to it. */
export async function saveCatalogue(
  sql: Sql,
  { objects, logDir }: Pick<TestEventStore, 'objects' | 'logDir'>,
  to: string,
): Promise<() => Promise<void>> {
  const rows = new Map<string, Record<string, string>[]>();
  for (const table of TABLES) rows.set(table, await sql`SELECT * FROM ${sql(table)}`);
  const [catalogue] = await sql<{ seq: number }[]>`SELECT seq FROM event_catalogue`;
  const paths = await livePaths(sql);
  for (const path of paths) await cp(await objects.localPath(path), join(to, 'files', path));
  const segments = (await namesIn(logDir)).filter((name) => name.endsWith('.log'));
  for (const name of segments) await cp(join(logDir, name), join(to, 'log', name));
  return async () => {
    await loseCatalogue(sql);
    await sql`UPDATE event_catalogue SET seq = ${catalogue!.seq}`;
    for (const [table, saved] of rows) {
      for (const row of saved) await sql`INSERT INTO ${sql(table)} ${sql(row)}`;
    }
    for (const path of paths) {
      if ((await objects.getBytes(path)) !== null) continue;
      await objects.putBytes(path, await Bun.file(join(to, 'files', path)).bytes());
    }
    for (const name of segments) await cp(join(to, 'log', name), join(logDir, name));
  };
}

class Killed extends Error {
  override name = 'Killed';
}

/**
 * A compactor whose process ends at its `at`-th write of an object or transaction, after a commit
 * where `afterCommit` says so; it does nothing from then on. Returns whether it lived.
 */
export async function killedAt(
  compactor: Compactor,
  { at, afterCommit }: { at: number; afterCommit: boolean },
  work: (compactor: Compactor) => Promise<unknown>,
): Promise<boolean> {
  let calls = 0;
  let isDead = false;
  const step = async <T>(run: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (isDead) throw new Killed();
    isDead = calls === at;
    if (isDead && !afterCommit) throw new Killed();
    const done = await run();
    if (isDead) throw new Killed();
    return done;
  };
  const { objects, sql } = compactor;
  const dying = {
    ...compactor,
    objects: {
      ...objects,
      adopt: (...args: Parameters<typeof objects.adopt>) => step(() => objects.adopt(...args)),
      remove: (...args: Parameters<typeof objects.remove>) => step(() => objects.remove(...args)),
    },
    sql: new Proxy(sql, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name);
        if (name !== 'begin' || typeof found !== 'function') return found;
        return (...args: unknown[]) => step(() => Reflect.apply(found, target, args));
      },
    }),
  };
  try {
    await work(dying);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof Killed)) throw thrown;
    return false;
  }
}
