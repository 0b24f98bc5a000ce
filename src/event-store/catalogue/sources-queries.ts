import { newId } from '../../shared/ids.ts';
import type { Db, Sql, Tx } from '../../storage/postgres.ts';
import type { AppAlias } from '../people/queries.ts';
import { parseCounts, type RangeCounts } from './range-counts.ts';

/** Rows `firstRow` to `firstRow + rows` (from 0) of the Parquet file at `path` are the app's. */
export type SourceFile = {
  path: string;
  firstRow: number;
  rows: number;
  level: number;
  /** Which columns it has. */
  format: number;
  /** Around `occurred_at` of the app's rows. */
  minOccurredAt: Date;
  maxOccurredAt: Date;
  /** Around `received_at` of all rows of the file. */
  minReceivedAt: Date;
  maxReceivedAt: Date;
  /** Of `rows`, those of development. */
  developmentRows: number;
  /** Null unless requested, and in files of many apps. */
  counts: RangeCounts | null;
  /** Where its projection is; null where there is none. */
  projection: string | null;
};

export type SourceWindow = {
  orgId: string;
  appId: string;
  fromMs: number;
  toMs: number;
  withCounts?: boolean;
  /** Opens the projections of files; without it they have none. */
  withProjections?: boolean;
  /** Only files that can hold one of this many rows received last. */
  newest?: number;
};

/** A transaction in which every statement sees the same moment. */
export function inSnapshot<T>(sql: Sql, read: (tx: Tx) => Promise<T>): Promise<T> {
  return sql.begin('isolation level repeatable read read only', read).then((value) => value as T);
}

/** Live files with rows of the app in the window, as `a` and `f`. */
const filesInWindow = (db: Db, { orgId, appId, fromMs, toMs }: SourceWindow) => db`
  event_file_apps a JOIN event_files f USING (file_id)
  WHERE a.org_id = ${orgId} AND a.app_id = ${appId} AND f.state = 'live'
    AND a.max_occurred_at >= ${new Date(fromMs)} AND a.min_occurred_at < ${new Date(toMs)}`;

export async function sourceFiles(db: Db, window: SourceWindow): Promise<SourceFile[]> {
  const rows = await db<(Omit<SourceFile, 'counts'> & { counts: string | null })[]>`
    SELECT f.path, a.first_row AS "firstRow", a.rows, f.level, f.format,
      a.min_occurred_at AS "minOccurredAt", a.max_occurred_at AS "maxOccurredAt",
      a.development_rows AS "developmentRows",
      f.min_received_at AS "minReceivedAt", f.max_received_at AS "maxReceivedAt",
      CASE WHEN ${window.withCounts ?? false} THEN a.counts END AS counts, f.projection
    FROM ${filesInWindow(db, window)}
    ORDER BY a.min_occurred_at, f.file_id`;
  return rows.map((row) => ({ ...row, counts: parseCounts(row.counts) }));
}

/** The aliases of an app made after any of the files in the window was written; none without files. */
export async function lateAliasesOf(db: Db, window: SourceWindow): Promise<AppAlias[]> {
  return db<AppAlias[]>`
    SELECT anonymous_id AS "anonymousId", user_id AS "userId" FROM event_people
    WHERE app_id = ${window.appId}
      AND catalogued_seq > (SELECT min(f.people_seq) FROM ${filesInWindow(db, window)})`;
}

/** Erased ids whose rows files may still hold. */
export async function pendingErasures(db: Db, orgId: string, appId: string): Promise<string[]> {
  const rows = await db<{ subject: string }[]>`
    SELECT subject FROM event_erasures
    WHERE org_id = ${orgId} AND app_id = ${appId} AND subject IS NOT NULL`;
  return rows.map((row) => row.subject);
}

export async function insertLease(db: Db, orgId: string, seconds: number): Promise<string> {
  const leaseId = newId('lea');
  await db`
    INSERT INTO event_leases (lease_id, org_id, expires_at)
    VALUES (${leaseId}, ${orgId}, now() + ${seconds} * interval '1 second')`;
  return leaseId;
}

export async function renewLease(db: Db, leaseId: string, seconds: number): Promise<void> {
  await db`
    UPDATE event_leases SET expires_at = now() + ${seconds} * interval '1 second'
    WHERE lease_id = ${leaseId}`;
}

export async function deleteLease(db: Db, leaseId: string): Promise<void> {
  await db`DELETE FROM event_leases WHERE lease_id = ${leaseId}`;
}
