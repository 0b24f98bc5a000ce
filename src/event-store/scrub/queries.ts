import { rowsOf } from '../../storage/row-parser.ts';
import { onlyRow } from '../../shared/assert.ts';
import { type Db, hasRows, done } from '../../storage/postgres.ts';
import type { Sums } from '../sums/blocks.ts';
import { insertSums } from '../sums/queries.ts';

export type StoredFile = { path: string; stored: Sums | null };

const liveSql = (sql: Db) => sql`
  SELECT path, bytes FROM event_files WHERE state = 'live'
  UNION ALL SELECT projection, projection_bytes FROM event_files
    WHERE state = 'live' AND projection IS NOT NULL
  UNION ALL SELECT c.path, c.bytes FROM event_property_columns c
    JOIN event_files f USING (file_id) WHERE f.state = 'live'
  UNION ALL SELECT path, keys * 16 FROM event_key_runs WHERE state <> 'retired'`;

type Row = { path: string; bytes: number | null; sums: Buffer | null };

const toStored = ({ path, bytes, sums }: Row): StoredFile => ({
  path,
  stored: sums === null || !bytes ? null : { bytes, sums },
});
const storedRows = rowsOf(toStored);

/** At least one; `part` of all files and bytes at most. */
export const selectDue = (
  db: Db,
  { part, restDays, except }: { part: number; restDays: number; except: readonly string[] },
) =>
  storedRows.all(db<Row[]>`
    WITH live AS (${liveSql(db)}),
    ranked AS (
      SELECT path, s.bytes, s.sums, s.checked_at,
        row_number() OVER turn AS place, sum(live.bytes) OVER turn - live.bytes AS before,
        count(*) OVER () AS files, sum(live.bytes) OVER () AS total
      FROM live LEFT JOIN event_sums s USING (path)
      WHERE path <> ALL(${[...except]})
      WINDOW turn AS (ORDER BY s.checked_at NULLS FIRST, path)
    )
    SELECT path, bytes, sums FROM ranked
    WHERE (checked_at IS NULL OR checked_at < now() - ${restDays} * interval '1 day')
      AND (place <= ceil(files * ${part}::float8) AND before <= total * ${part}::float8)
    ORDER BY place`);

export type Damaged = StoredFile & { forMs: number };

export async function selectDamaged(
  db: Db,
  { limit, except }: { limit: number; except: readonly string[] },
): Promise<Damaged[]> {
  const rows = await db<(Row & { forMs: number })[]>`
    SELECT path, bytes, sums, (1000 * extract(epoch FROM now() - damaged_at))::float8 AS "forMs"
    FROM event_sums WHERE damaged_at IS NOT NULL AND path <> ALL(${[...except]})
    ORDER BY damaged_at LIMIT ${limit}`;
  return rows.map((row) => ({ ...toStored(row), forMs: row.forMs }));
}

export const isLive = (db: Db, path: string) =>
  hasRows(db`SELECT FROM (${liveSql(db)}) live WHERE path = ${path}`);

export async function noteWhole(
  db: Db,
  { path, stored }: StoredFile,
  found: Sums | null,
): Promise<void> {
  if (stored === null && found !== null) await insertSums(db, path, found);
  else await markWhole(db, path);
}

export const markWhole = (db: Db, path: string) =>
  done(db`
    UPDATE event_sums SET checked_at = now(), damaged_at = NULL, fault = NULL WHERE path = ${path}`);

export const deleteUnused = (db: Db) =>
  done(db`
    DELETE FROM event_sums s WHERE checked_at < now() - interval '1 day' AND NOT EXISTS (
      SELECT FROM (SELECT path FROM event_files UNION ALL SELECT projection FROM event_files
        UNION ALL SELECT path FROM event_property_columns
        UNION ALL SELECT path FROM event_key_runs) named WHERE named.path = s.path)`);

type Counts = { damaged: number; unchecked: number; path: string | null; fault: string | null };

export async function countSums(db: Db): Promise<Counts> {
  return onlyRow(
    await db<Counts[]>`
    SELECT (SELECT count(*) FROM event_sums WHERE damaged_at IS NOT NULL) AS damaged,
      (SELECT count(*) FROM (
          SELECT path FROM event_files WHERE state = 'live'
          UNION ALL SELECT path FROM event_key_runs WHERE state <> 'retired') live
        WHERE NOT EXISTS (SELECT FROM event_sums s WHERE s.path = live.path)) AS unchecked,
      first.path, first.fault
    FROM (SELECT) one LEFT JOIN LATERAL (SELECT path, fault FROM event_sums
      WHERE damaged_at IS NOT NULL ORDER BY damaged_at LIMIT 1) first ON true`,
  );
}
