import type { Db } from '../../storage/postgres.ts';
import { WHOLE_FILE_BYTES } from '../rewrite/plan.ts';

/** More late mappings than this are written into the files instead of joined by every query. */
const LATE_LINKS = 1_000;

/**
 * Bytes that apps with enough for files of their own take up in files of many apps, by each app's
 * share of the rows.
 */
export async function heavyBytes(db: Db): Promise<number> {
  const [row] = await db<{ bytes: number | null }[]>`
    SELECT sum(bytes)::bigint AS bytes FROM (
      SELECT sum(a.rows * f.bytes / f.rows) AS bytes
      FROM event_file_apps a JOIN event_files f USING (file_id)
      WHERE f.state = 'live' AND f.level = 0 AND f.rows > 0
      GROUP BY a.app_id) apps
    WHERE bytes >= ${2 * WHOLE_FILE_BYTES}`;
  return row?.bytes ?? 0;
}

/** Apps with several files of their own, whose merging is worth a look. */
export async function appsWithFiles(db: Db, limit: number): Promise<string[]> {
  const rows = await db<{ app_id: string }[]>`
    SELECT app_id FROM event_files WHERE state = 'live' AND level > 0
    GROUP BY app_id, date_trunc('month', min_occurred_at) HAVING count(*) > 1
    ORDER BY count(*) DESC LIMIT ${limit}`;
  return [...new Set(rows.map((row) => row.app_id))];
}

/** Live files that hold an erased person, or rows of many people who were mapped later. */
export async function filesToCorrect(db: Db, limit: number): Promise<string[]> {
  const rows = await db<{ file_id: string }[]>`
    SELECT DISTINCT f.file_id FROM event_files f JOIN event_file_apps a USING (file_id)
    WHERE f.state = 'live' AND (
      EXISTS (SELECT 1 FROM event_erasures e
        WHERE e.app_id = a.app_id AND e.subject IS NOT NULL AND e.seq > f.people_seq)
      OR (SELECT count(*) FROM (SELECT 1 FROM event_people p
        WHERE p.app_id = a.app_id AND p.catalogued_seq > f.people_seq
        LIMIT ${LATE_LINKS}) late) >= ${LATE_LINKS})
    LIMIT ${limit}`;
  return rows.map((row) => row.file_id);
}

export type Expired = { whole: string[]; partly: string[] };

/** Files of one app with rows older than the app keeps them. */
export async function expiredFiles(db: Db, limit: number): Promise<Expired> {
  const rows = await db<{ file_id: string; whole: boolean }[]>`
    SELECT file_id, max_occurred_at < kept.since AS whole
    FROM event_files JOIN (
      SELECT app_id, date_trunc('day', now() - event_retention_days * interval '1 day') AS since
      FROM app_datasets WHERE event_retention_days IS NOT NULL) kept USING (app_id)
    WHERE state = 'live' AND min_occurred_at < kept.since
    LIMIT ${limit}`;
  const idsOf = (whole: boolean) =>
    rows.filter((row) => row.whole === whole).map((row) => row.file_id);
  return { whole: idsOf(true), partly: idsOf(false) };
}

/** Of these files, the live ones whose rows are all older than the app keeps them. */
export async function wholeExpired(db: Db, fileIds: readonly string[]): Promise<string[]> {
  const rows = await db<{ file_id: string }[]>`
    SELECT file_id FROM event_files JOIN app_datasets d USING (app_id)
    WHERE file_id = ANY(${[...fileIds]}) AND state = 'live'
      AND max_occurred_at < date_trunc('day', now() - d.event_retention_days * interval '1 day')`;
  return rows.map((row) => row.file_id);
}
