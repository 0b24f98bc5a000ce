import { type Db, hasRows, type Tx, firstValue, done } from '../../storage/postgres.ts';

export type Commit = { segmentId: string; at: string };

/** True the first time. Rows of segments are kept for 31 days. */
export const noteIfLost = (db: Db, { segmentId, at }: Commit) =>
  hasRows(db`
    UPDATE installation SET commits_lost_at = now()
    WHERE commits_lost_at IS NULL
      AND ${at}::timestamptz > greatest(catalogue_whole_at, now() - interval '30 days')
      AND NOT EXISTS (SELECT FROM event_segments WHERE segment_id = ${segmentId})
    RETURNING 1`);

export const commitsLostAt = (db: Db) =>
  firstValue(db<{ at: Date | null }[]>`SELECT commits_lost_at AS at FROM installation`);

export const noteWhole = (tx: Tx) =>
  done(tx`UPDATE installation SET commits_lost_at = NULL, catalogue_whole_at = now()`);

/** For readers without a lease, in database time; exceeds any query. */
export const GRACE_SECONDS = 600;

export type Removable = { path: string; projection: string | null };

/** A lease begun before the retirement sees the file as live. */
export const removable = async (db: Db, limit: number) => db<Removable[]>`
    SELECT path, projection FROM (
      SELECT path, projection, retired_at FROM event_files
      WHERE state = 'retired' AND NOT EXISTS (SELECT 1 FROM event_leases
        WHERE expires_at > now()
          AND taken_at <= event_files.retired_at + ${GRACE_SECONDS} * interval '1 second')
      UNION ALL SELECT path, NULL, retired_at FROM event_key_runs
      WHERE state = 'retired' AND NOT EXISTS (SELECT 1 FROM event_leases
        WHERE expires_at > now() AND org_id = ''
          AND taken_at <= event_key_runs.retired_at + ${GRACE_SECONDS} * interval '1 second')
    ) retired
    WHERE retired_at < now() - ${GRACE_SECONDS} * interval '1 second'
    ORDER BY retired_at LIMIT ${limit}`;

export async function deleteRetiredRows(db: Db, paths: readonly string[]): Promise<void> {
  await db`DELETE FROM event_files WHERE path = ANY(${[...paths]}) AND state = 'retired'`;
  await db`DELETE FROM event_key_runs WHERE path = ANY(${[...paths]}) AND state = 'retired'`;
}

export async function deleteExpiredRows(db: Db): Promise<void> {
  await db`DELETE FROM event_leases WHERE expires_at < now() - interval '1 hour'`;
  // Segments are removed right after commit; a host that was off returns within a month.
  await db`DELETE FROM event_segments WHERE compacted_at < now() - interval '31 days'`;
  await db`DELETE FROM event_rejections WHERE hour < now() - interval '400 days'`;
}

export async function knownPaths(db: Db, paths: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ path: string }[]>`
    SELECT path FROM event_files WHERE path = ANY(${[...paths]})
    UNION ALL SELECT projection FROM event_files WHERE projection = ANY(${[...paths]})
    UNION ALL SELECT path FROM event_property_columns WHERE path = ANY(${[...paths]})
    UNION ALL SELECT path FROM event_key_runs WHERE path = ANY(${[...paths]})`;
  return new Set(rows.map((row) => row.path));
}

/** Null unless restored in place. */
export const orphansSince = (db: Db) =>
  firstValue(db<{ since: Date | null }[]>`
    SELECT orphans_since AS since FROM installation`);

export const noteOrphans = (db: Db, { files, bytes }: { files: number; bytes: number }) =>
  done(db`
    UPDATE installation
    SET orphan_files = ${files}, orphan_bytes = ${bytes}, orphans_counted_at = now()`);
