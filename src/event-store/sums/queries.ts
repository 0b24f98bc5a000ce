import { type Db, hasRows, done } from '../../storage/postgres.ts';
import type { Sums } from './blocks.ts';

/** No bytes: never read. */
export const insertSums = (db: Db, path: string, { bytes, sums }: Sums) =>
  done(db`
    INSERT INTO event_sums (path, bytes, sums) VALUES (${path}, ${bytes}, ${sums})
    ON CONFLICT (path) DO UPDATE SET bytes = excluded.bytes, sums = excluded.sums,
      checked_at = now(), damaged_at = NULL, fault = NULL
    WHERE event_sums.bytes = 0`);

export async function selectSums(db: Db, paths: readonly string[]): Promise<Map<string, Sums>> {
  const rows = await db<(Sums & { path: string })[]>`
    SELECT path, bytes, sums FROM event_sums WHERE path = ANY(${[...paths]}) AND bytes > 0`;
  return new Map(rows.map(({ path, bytes, sums }) => [path, { bytes, sums }]));
}

export const hasSums = (db: Db): Promise<boolean> =>
  hasRows(db`SELECT WHERE to_regclass('public.event_sums') IS NOT NULL`);

export const deleteSums = (db: Db, paths: readonly string[]) =>
  done(db`DELETE FROM event_sums WHERE path = ANY(${[...paths]})`);

export const noteDamage = (db: Db, path: string, fault: string) =>
  hasRows(db`
    UPDATE event_sums SET damaged_at = now(), fault = ${fault}
    WHERE path = ${path} AND damaged_at IS NULL RETURNING 1`);

export async function selectDamagedPaths(db: Db): Promise<string[]> {
  if (!(await hasSums(db))) return [];
  const rows = await db<{ path: string }[]>`
    SELECT path FROM event_sums WHERE damaged_at IS NOT NULL`;
  return rows.map(({ path }) => path);
}
