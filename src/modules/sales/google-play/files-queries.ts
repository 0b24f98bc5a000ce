import {
  PLAY_REPORTS,
  type PlayReport,
  type ReportFile,
} from '../../../providers/play-reports/port.ts';
import { OneOf, parser } from '../../../shared/schema.ts';
import { type Db, type Tx, done, firstValue } from '../../../storage/postgres.ts';

export type BucketScope = { orgId: string; bucket: string };

const reportParser = parser(OneOf(PLAY_REPORTS), 'google_play_files report');

const isOf = (db: Db, { orgId, bucket }: BucketScope) =>
  db`org_id = ${orgId} AND bucket = ${bucket}`;

export const upsertFiles = (db: Db, { orgId, bucket }: BucketScope, files: readonly ReportFile[]) =>
  done(db`
    INSERT INTO google_play_files AS known
      (org_id, bucket, name, report, month, generation, updated_at)
    SELECT ${orgId}, ${bucket}, f.name, f.report, f.month, f.generation, f."updatedAt"
    FROM json_to_recordset(${JSON.stringify(files)}::text::json) AS f (name text, report text,
      month text, generation text, "updatedAt" timestamptz)
    ON CONFLICT (org_id, bucket, name) DO UPDATE SET generation = excluded.generation,
      updated_at = excluded.updated_at, retry_at = NULL
      WHERE known.generation <> excluded.generation`);

/** Newest months first. */
export async function selectFilesDue(
  db: Db,
  scope: BucketScope,
  { now, limit }: { now: Date; limit: number },
): Promise<ReportFile[]> {
  const rows = await db<(Omit<ReportFile, 'report'> & { report: string })[]>`
    SELECT name, report, month, generation, updated_at AS "updatedAt" FROM google_play_files
    WHERE ${isOf(db, scope)} AND read_generation IS DISTINCT FROM generation
      AND (retry_at IS NULL OR retry_at <= ${now})
    ORDER BY month DESC, name LIMIT ${limit}`;
  return rows.map((row) => ({ ...row, report: reportParser.parse(row.report) }));
}

export const recordRead = (
  db: Db,
  scope: BucketScope,
  { name, generation }: ReportFile,
  note: string | null,
) =>
  done(db`
    UPDATE google_play_files SET read_generation = ${generation}, retry_at = NULL,
      last_error = ${note}
    WHERE ${isOf(db, scope)} AND name = ${name}`);

export const recordFault = (
  db: Db,
  scope: BucketScope,
  { name, generation }: ReportFile,
  { error, retryAt }: { error: string; retryAt: Date },
) =>
  done(db`
    UPDATE google_play_files SET last_error = ${error}, retry_at = ${retryAt}
    WHERE ${isOf(db, scope)} AND name = ${name} AND generation = ${generation}`);

/** True when the month of earnings came into force by this. */
export async function putInForce(tx: Tx, scope: BucketScope, month: string): Promise<boolean> {
  const rows = await tx<{ first: boolean }[]>`
    WITH month AS (
      SELECT bool_or(in_force) AS was, bool_and(read_generation IS NOT NULL) AS complete
      FROM google_play_files
      WHERE ${isOf(tx, scope)} AND report = 'earnings' AND month = ${month}
    )
    UPDATE google_play_files SET in_force = true FROM month
    WHERE ${isOf(tx, scope)} AND report = 'earnings' AND google_play_files.month = ${month}
      AND month.complete AND NOT in_force
    RETURNING NOT month.was AS first`;
  return rows.some(({ first }) => first);
}

/** The newest writing of each month, and whether a file of it is not read as it is now. */
export type MonthOfFiles = { updatedAt: Date; isUnread: boolean };

export async function selectMonths(
  db: Db,
  scope: BucketScope,
  report: PlayReport,
): Promise<Map<string, MonthOfFiles>> {
  const rows = await db<(MonthOfFiles & { month: string })[]>`
    SELECT month, max(updated_at) AS "updatedAt",
      bool_or(read_generation IS DISTINCT FROM generation) AS "isUnread"
    FROM google_play_files WHERE ${isOf(db, scope)} AND report = ${report} GROUP BY month`;
  return new Map(rows.map(({ month, ...rest }) => [month, rest]));
}

export const selectFileFault = (db: Db, scope: BucketScope) =>
  firstValue(db<{ fault: string }[]>`
    SELECT name || ': ' || last_error AS fault FROM google_play_files
    WHERE ${isOf(db, scope)} AND last_error IS NOT NULL ORDER BY month DESC, name LIMIT 1`);

/** The last month up to which each one's proceeds are those of an earnings report. */
export const selectEarningsThrough = (db: Db, scope: BucketScope) =>
  firstValue(db<{ month: string | null }[]>`
    SELECT max(month) AS month FROM google_play_files
    WHERE ${isOf(db, scope)} AND report = 'earnings' AND in_force`);
