import type { AppScope } from '../../shared/app.ts';
import { newId } from '../../shared/ids.ts';
import { type Db, type Fragment, type Sql, type Tx, column, done } from '../../storage/postgres.ts';
import { readPages } from '../../storage/read-pages.ts';
import type { RangeCounts } from '../file/range-counts.ts';
import { EVENT_OBJECTS } from '../objects/names.ts';

type OwnedFile = { fileId: string; orgId: string; appId: string; stats: string };

const PAGE = 500;

export function ownedFiles(sql: Sql): AsyncIterable<OwnedFile[]> {
  return readPages(
    sql<OwnedFile[]>`
    SELECT file_id AS "fileId", org_id AS "orgId", app_id AS "appId", stats FROM event_files
    WHERE state = 'live' AND level > 0 AND stats IS NOT NULL`,
    PAGE,
  );
}

/** Null in files of earlier releases. */
export const statsOfFiles = async (db: Db, paths: readonly string[]) => db<
  { path: string; stats: string | null }[]
>`
    SELECT path, stats FROM event_files WHERE path = ANY(${[...paths]}) AND state = 'live'`;

export async function shareFiles(sql: Sql, fileIds: readonly string[]): Promise<void> {
  const ids = [...fileIds];
  await sql.begin(async (tx) => {
    await tx`
      UPDATE event_files SET level = 0, org_id = NULL, app_id = NULL, day = NULL,
        projection = NULL, projection_bytes = NULL, projection_format = 0
      WHERE file_id = ANY(${ids}) AND state = 'live'`;
    await tx`UPDATE event_file_apps SET counts = NULL WHERE file_id = ANY(${ids})`;
  });
}

/** Single-app by path, yet with several. */
export const sharedFiles = (db: Db) =>
  column(db<{ fileId: string }[]>`
    SELECT file_id AS "fileId" FROM event_files
    WHERE state = 'live' AND level = 0 AND path ~ ${`^${EVENT_OBJECTS}level[12]/`} ORDER BY file_id`);

/** One by one: without statistics PostgreSQL would compare each with each. */
export const isUserOfOther = (sql: Db, { orgId, appId }: AppScope, id: Fragment): Fragment => sql`
  EXISTS (SELECT FROM event_people u WHERE u.org_id = ${orgId} AND u.app_id = ${appId}
    AND u.user_id = ${id} AND u.anonymous_id <> u.user_id OFFSET 0)`;

/** From `firstRow` (0-based) on. */
export type SourceFile = {
  path: string;
  firstRow: number;
  rows: number;
  level: number;
  format: number;
  minOccurredAt: Date;
  maxOccurredAt: Date;
  minReceivedAt: Date;
  maxReceivedAt: Date;
  developmentRows: number;
  /** Null unless requested, and in shared files. */
  counts: RangeCounts | null;
  projection: string | null;
  /** Object keys; of the properties that the window asks for. */
  columns: readonly string[];
};

export type SourceWindow = {
  orgId: string;
  appId: string;
  fromMs: number;
  toMs: number;
  withCounts?: boolean;
  withProjections?: boolean;
  /** Files whose columns are opened with projections. */
  properties?: readonly string[];
  newest?: number;
};

export function inSnapshot<T>(sql: Sql, read: (tx: Tx) => Promise<T>): Promise<T> {
  return sql.begin('isolation level repeatable read read only', read).then((value) => value as T);
}

export async function insertLease(db: Db, orgId: string, seconds: number): Promise<string> {
  const leaseId = newId('lea');
  await db`
    INSERT INTO event_leases (lease_id, org_id, expires_at)
    VALUES (${leaseId}, ${orgId}, now() + ${seconds} * interval '1 second')`;
  return leaseId;
}

export const renewLease = (db: Db, leaseId: string, seconds: number) =>
  done(db`
    UPDATE event_leases SET expires_at = now() + ${seconds} * interval '1 second'
    WHERE lease_id = ${leaseId}`);

export const deleteLease = (db: Db, leaseId: string) =>
  done(db`DELETE FROM event_leases WHERE lease_id = ${leaseId}`);
