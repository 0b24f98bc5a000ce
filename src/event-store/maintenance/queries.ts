import {
  type Db,
  type Fragment,
  hasRows,
  type Tx,
  singleValue,
  column,
  done,
} from '../../storage/postgres.ts';
import * as catalogue from '../catalogue/queries.ts';
import type { Alias, ErasedId } from '../event/person.ts';
import type { NewEventFile } from '../file/event-file.ts';
import { isImportUndoneSince } from '../imports/queries.ts';
import { FAN_IN, WHOLE_FILE_BYTES } from './plan.ts';

/** Above it, files are rewritten. */
const LATE_ALIASES = 1_000;
/** For single-app files: this fraction of the app's aliases, or this many. */
const LATE_PART = 20;
const LATE_ALIASES_MAX = 100_000;

export const heavyBytes = (db: Db) =>
  singleValue(db<{ bytes: number }[]>`
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM (
      SELECT sum(a.rows * f.bytes / f.rows) AS bytes
      FROM event_file_apps a JOIN event_files f USING (file_id)
      WHERE f.state = 'live' AND f.level = 0 AND f.rows > 0
      GROUP BY a.app_id) apps
    WHERE bytes >= ${2 * WHOLE_FILE_BYTES}`);

/** Unordered, so that unmergeable apps cannot hide others. */
export const appsToMerge = (db: Db, openSince: Date, limit: number) =>
  column(db<{ app_id: string }[]>`
    SELECT app_id FROM (
      SELECT app_id FROM event_files
      WHERE state = 'live' AND level > 0 AND max_occurred_at <= ${openSince}
        AND bytes < ${WHOLE_FILE_BYTES}
      GROUP BY app_id, date_trunc('month', min_occurred_at)
      HAVING count(*) >= CASE
        WHEN date_trunc('month', min_occurred_at) < date_trunc('month', ${openSince}::timestamptz)
        THEN 2 ELSE ${FAN_IN} END
      UNION
      SELECT app_id FROM event_files
      WHERE state = 'live' AND level > 0 AND max_occurred_at <= ${openSince}
        AND bytes >= ${WHOLE_FILE_BYTES} AND day IS NOT NULL
      GROUP BY app_id, day HAVING count(*) > 1) due
    ORDER BY random() LIMIT ${limit}`);

const dueByErasures = (db: Db, among: Fragment) => db`
  SELECT f.file_id, 0 AS urgency, min(e.seq) AS place
  FROM event_erasures e JOIN event_file_apps a USING (app_id) JOIN event_files f USING (file_id)
  WHERE e.subject IS NOT NULL AND f.state = 'live'
    AND e.seq > greatest(f.people_seq, f.erased_seq) ${among}
  GROUP BY f.file_id`;

const dueByDeletions = (db: Db, among: Fragment) => db`
  SELECT f.file_id, 0 AS urgency, f.deleted_seq AS place FROM event_files f
  WHERE f.state = 'live' AND f.deleted_seq > greatest(f.people_seq, f.erased_seq) ${among}`;

/** Joining costs less than a rewrite per thousand sign-ups. */
const dueByAliases = (db: Db, among: Fragment) => db`
  SELECT f.file_id, 1 AS urgency, -max(c.aliases - coalesce(a.aliases, c.aliases_before)) AS place
  FROM event_alias_counts c JOIN event_file_apps a USING (app_id) JOIN event_files f USING (file_id)
  WHERE f.state = 'live' AND c.aliases >= ${LATE_ALIASES} ${among}
    AND c.aliases - coalesce(a.aliases, c.aliases_before) >= CASE WHEN f.level = 0
      THEN ${LATE_ALIASES}
      ELSE greatest(${LATE_ALIASES}, least(c.aliases / ${LATE_PART}, ${LATE_ALIASES_MAX})) END
  GROUP BY f.file_id`;

/** Oldest erasures first. */
export async function filesToCorrect(
  db: Db,
  limit: number,
  among?: readonly string[],
): Promise<string[]> {
  const ofThese = among ? db`AND f.file_id = ANY(${[...among]})` : db``;
  const rows = await db<{ fileId: string }[]>`
    SELECT file_id AS "fileId"
    FROM (${dueByErasures(db, ofThese)} UNION ALL ${dueByDeletions(db, ofThese)}
      UNION ALL ${dueByAliases(db, ofThese)}) due
    GROUP BY file_id ORDER BY min(urgency), min(place), file_id LIMIT ${limit}`;
  return rows.map((row) => row.fileId);
}

export const isDueByAliases = (db: Db, fileId: string): Promise<boolean> =>
  hasRows(dueByAliases(db, db`AND f.file_id = ${fileId}`));

export async function appsOfFiles(
  db: Db,
  fileIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db<{ file_id: string; app_id: string }[]>`
    SELECT file_id, app_id FROM event_files
    WHERE file_id = ANY(${[...fileIds]}) AND app_id IS NOT NULL`;
  return new Map(rows.map((row) => [row.file_id, row.app_id]));
}

export type Expired = { whole: string[]; partly: string[] };

const keptSql = (db: Db) => db`
  SELECT app_id, date_trunc('day', now() - event_retention_days * interval '1 day') AS since
  FROM app_datasets WHERE event_retention_days IS NOT NULL`;

const aloneSql = (db: Db) => db`NOT EXISTS (
  SELECT FROM event_file_apps b WHERE b.file_id = a.file_id AND b.app_id <> a.app_id)`;

export async function expiredFiles(
  db: Db,
  limit: number,
  among?: readonly string[],
): Promise<Expired> {
  const ofThese = among ? db`AND f.file_id = ANY(${[...among]})` : db``;
  const rows = await db<{ file_id: string; whole: boolean }[]>`
    SELECT f.file_id, bool_or(a.max_occurred_at < kept.since AND ${aloneSql(db)}) AS whole
    FROM event_files f JOIN event_file_apps a USING (file_id)
      JOIN (${keptSql(db)}) kept ON kept.app_id = a.app_id
    WHERE f.state = 'live' AND f.level > 0 AND a.min_occurred_at < kept.since ${ofThese}
    GROUP BY f.file_id LIMIT ${limit}`;
  const idsOf = (whole: boolean) =>
    rows.filter((row) => row.whole === whole).map((row) => row.file_id);
  return { whole: idsOf(true), partly: idsOf(false) };
}

export const countApps = (db: Db, fileId: string) =>
  singleValue(db<{ apps: number }[]>`
    SELECT count(*)::integer AS apps FROM event_file_apps WHERE file_id = ${fileId}`);

export type Corrections = {
  seq: number;
  aliases: Alias[];
  erased: ErasedId[];
  deletedApps: string[];
  keptSince: { appId: string; since: Date }[];
};

/** `sinceSeq`: how far the oldest file is correct. */
export async function readCorrections(
  db: Db,
  fileIds: readonly string[],
  sinceSeq: number,
): Promise<Corrections> {
  const apps = await db<{ app_id: string }[]>`
    SELECT DISTINCT app_id FROM event_file_apps WHERE file_id = ANY(${[...fileIds]})`;
  const ids = apps.map((row) => row.app_id);
  const seq = await catalogue.readSeq(db);
  const [aliases, erased, deleted, keptSince] = await Promise.all([
    db<Alias[]>`
      SELECT app_id AS "appId", anonymous_id AS "anonymousId", user_id AS "userId"
      FROM event_people WHERE app_id = ANY(${ids}) AND catalogued_seq > ${sinceSeq}`,
    db<ErasedId[]>`
      SELECT app_id AS "appId", subject AS id, erased_as AS "erasedAs" FROM event_erasures
      WHERE app_id = ANY(${ids}) AND subject IS NOT NULL`,
    // Rows may outlive their range in files of before; later files have none.
    db<{ app_id: string }[]>`
      SELECT app_id FROM event_deleted_apps WHERE app_id = ANY(${ids}) OR deleted_at > (
        SELECT min(created_at) - interval '1 hour' FROM event_files
        WHERE file_id = ANY(${[...fileIds]}))`,
    db<Corrections['keptSince']>`
      SELECT app_id AS "appId",
        date_trunc('day', now() - event_retention_days * interval '1 day') AS since
      FROM app_datasets WHERE app_id = ANY(${ids}) AND event_retention_days IS NOT NULL`,
  ]);
  return { seq, aliases, erased, deletedApps: deleted.map((row) => row.app_id), keptSince };
}

export type Swap = {
  retired: readonly string[];
  added: readonly NewEventFile[];
  seq: number;
};

/** Throws `CatalogueMoved`, without changes, when anything moved meanwhile. */
export async function swapFiles(tx: Tx, { retired, added, seq }: Swap): Promise<void> {
  await catalogue.lockCatalogue(tx);
  const appIds = added.flatMap((file) => file.apps.map((app) => app.appId));
  const [gone] = await tx`
    SELECT 1 FROM event_deleted_apps WHERE app_id = ANY(${appIds}) LIMIT 1`;
  if (gone || (await isImportUndoneSince(tx, appIds, seq))) throw new catalogue.CatalogueMoved();
  await catalogue.retireFiles(tx, retired);
  for (const file of added) await catalogue.insertFile(tx, file, seq);
}

export async function markCorrected(
  tx: Tx,
  fileIds: readonly string[],
  seq: number,
): Promise<void> {
  const ids = [...fileIds];
  await tx`
    UPDATE event_files SET people_seq = ${seq}
    WHERE file_id = ANY(${ids}) AND state = 'live' AND people_seq < ${seq}`;
  await tx`
    UPDATE event_file_apps a SET aliases = c.aliases FROM event_alias_counts c
    WHERE a.file_id = ANY(${ids}) AND c.app_id = a.app_id`;
}

/** Aliases stay late. */
export const markErased = (db: Db, fileId: string, seq: number) =>
  done(db`
    UPDATE event_files SET erased_seq = ${seq}
    WHERE file_id = ${fileId} AND state = 'live' AND erased_seq < ${seq}`);
