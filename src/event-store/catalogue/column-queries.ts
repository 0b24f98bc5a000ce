import type { AppScope } from '../../shared/app.ts';
import { type Db, type Sql, done, column, singleRow } from '../../storage/postgres.ts';
import { COLUMN_FORMAT } from '../projection/column-format.ts';

/** Per app; the least used give way. */
const MAX_PROPERTIES = 100;
const FORGOTTEN_AFTER_DAYS = 90;
/** Bytes of a row, where no column says it. */
const ROW_BYTES = 3;

/** Each use is worth half of itself a week later. */
const scoreNow = (db: Db) => db`
  score * power(0.5, extract(epoch FROM now() - used_at)::float8 / (7 * 86400))`;

export async function addUses(
  sql: Sql,
  { orgId, appId }: AppScope,
  uses: ReadonlyMap<string, number>,
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      INSERT INTO event_property_uses AS known (org_id, app_id, prop, score, used_at)
      SELECT ${orgId}, ${appId}, used.prop, used.uses, now()
      FROM unnest(${[...uses.keys()]}::text[], ${[...uses.values()]}::float8[]) AS used (prop, uses)
      WHERE NOT EXISTS (SELECT FROM event_deleted_apps WHERE app_id = ${appId})
      ORDER BY used.prop
      ON CONFLICT (org_id, app_id, prop) DO UPDATE SET used_at = now(),
        score = EXCLUDED.score + known.score
          * power(0.5, extract(epoch FROM now() - known.used_at)::float8 / (7 * 86400))`;
    await tx`
      DELETE FROM event_property_uses
      WHERE org_id = ${orgId} AND app_id = ${appId} AND prop IN (
        SELECT prop FROM event_property_uses WHERE org_id = ${orgId} AND app_id = ${appId}
        ORDER BY ${scoreNow(tx)} DESC, prop OFFSET ${MAX_PROPERTIES})`;
  });
}

export const forgetUses = (db: Db) =>
  done(db`
    DELETE FROM event_property_uses
    WHERE used_at < now() - ${FORGOTTEN_AFTER_DAYS} * interval '1 day'`);

export type UsedProperty = AppScope & {
  prop: string;
  score: number;
  isChosen: boolean;
  bytes: number;
};

export const usedProperties = async (db: Db, limit: number) => db<UsedProperty[]>`
    SELECT u.org_id AS "orgId", u.app_id AS "appId", u.prop, u.score, u.is_chosen AS "isChosen",
      (SELECT coalesce(sum(coalesce(c.bytes, ${ROW_BYTES} * f.rows)), 0)::bigint FROM event_files f
        LEFT JOIN event_property_columns c ON c.file_id = f.file_id AND c.prop = u.prop
        WHERE f.app_id = u.app_id AND f.org_id = u.org_id AND f.state = 'live' AND f.level > 0
          AND f.projection IS NOT NULL) AS bytes
    FROM (SELECT org_id, app_id, prop, is_chosen, ${scoreNow(db)} AS score
      FROM event_property_uses ORDER BY score DESC, app_id, prop LIMIT ${limit}) u`;

export const setChosen = (
  db: Db,
  chosen: readonly Pick<UsedProperty, 'appId' | 'orgId' | 'prop'>[],
) =>
  done(db`
    WITH chosen AS (SELECT * FROM unnest(${chosen.map(({ orgId }) => orgId)}::text[],
      ${chosen.map(({ appId }) => appId)}::text[], ${chosen.map(({ prop }) => prop)}::text[])
      AS c (org_id, app_id, prop)),
    wanted AS (SELECT u.org_id, u.app_id, u.prop, c.prop IS NOT NULL AS is_chosen
      FROM event_property_uses u LEFT JOIN chosen c USING (org_id, app_id, prop))
    UPDATE event_property_uses u SET is_chosen = w.is_chosen FROM wanted w
    WHERE u.org_id = w.org_id AND u.app_id = w.app_id AND u.prop = w.prop
      AND u.is_chosen <> w.is_chosen`);

const missingSql = (db: Db) => db`
  NOT EXISTS (SELECT FROM event_property_columns c WHERE c.file_id = f.file_id AND c.prop = u.prop
    AND c.projection = f.projection AND c.format = ${COLUMN_FORMAT})`;

export async function filesWithoutColumns(
  db: Db,
  limit: number,
  among?: readonly string[],
): Promise<string[]> {
  const ofThese = among ? db`AND f.file_id = ANY(${[...among]})` : db``;
  const rows = await db<{ fileId: string }[]>`
    SELECT f.file_id AS "fileId" FROM event_files f
    WHERE f.state = 'live' AND f.level > 0 AND f.projection IS NOT NULL ${ofThese}
      AND EXISTS (SELECT FROM event_property_uses u WHERE u.app_id = f.app_id
        AND u.org_id = f.org_id AND u.is_chosen AND ${missingSql(db)})
    ORDER BY f.created_at DESC, f.file_id LIMIT ${limit}`;
  return rows.map(({ fileId }) => fileId);
}

export const propertiesToAdd = (db: Db, fileId: string, limit: number) =>
  column(db<{ prop: string }[]>`
    SELECT u.prop FROM event_files f
    JOIN event_property_uses u ON u.app_id = f.app_id AND u.org_id = f.org_id AND u.is_chosen
    WHERE f.file_id = ${fileId} AND f.state = 'live' AND f.projection IS NOT NULL
      AND ${missingSql(db)}
    ORDER BY u.score DESC, u.prop LIMIT ${limit}`);

export type NewColumn = { prop: string; projection: string; path: string; bytes: number };

/** The path of the one before, if any; the new one's own when the file changed meanwhile. */
export async function setColumn(
  sql: Sql,
  fileId: string,
  { prop, projection, path, bytes }: NewColumn,
): Promise<string | null> {
  return sql.begin(async (tx) => {
    const files = await tx<{ orgId: string; appId: string }[]>`
      SELECT org_id AS "orgId", app_id AS "appId" FROM event_files
      WHERE file_id = ${fileId} AND state = 'live' AND projection = ${projection} FOR SHARE`;
    const [file] = files;
    if (!file) return path;
    const before = await tx<{ path: string }[]>`
      SELECT path FROM event_property_columns
      WHERE file_id = ${fileId} AND prop = ${prop} FOR UPDATE`;
    await tx`
      INSERT INTO event_property_columns
        (file_id, prop, org_id, app_id, projection, format, path, bytes)
      VALUES (${fileId}, ${prop}, ${file.orgId}, ${file.appId}, ${projection}, ${COLUMN_FORMAT},
        ${path}, ${bytes})
      ON CONFLICT (file_id, prop) DO UPDATE SET projection = EXCLUDED.projection,
        format = EXCLUDED.format, path = EXCLUDED.path, bytes = EXCLUDED.bytes`;
    return before[0]?.path ?? null;
  });
}

/** Deletes columns of files that are gone or have another projection, and of properties not chosen. */
export const unusedColumns = (db: Db, limit: number) =>
  column(db<{ path: string }[]>`
    SELECT c.path FROM event_property_columns c JOIN event_files f USING (file_id)
    WHERE f.state = 'retired' OR f.projection IS DISTINCT FROM c.projection
      OR NOT EXISTS (SELECT FROM event_property_uses u WHERE u.org_id = c.org_id
        AND u.app_id = c.app_id AND u.prop = c.prop AND u.is_chosen)
    LIMIT ${limit}`);

export const columnsOfFiles = (db: Db, paths: readonly string[]) =>
  column(db<{ path: string }[]>`
    SELECT c.path FROM event_property_columns c JOIN event_files f USING (file_id)
    WHERE f.path = ANY(${[...paths]})`);

export const forgetColumns = (db: Db, paths: readonly string[]) =>
  done(db`DELETE FROM event_property_columns WHERE path = ANY(${[...paths]})`);

export type ColumnTotals = { bytes: number; properties: number; missing: number };

export const columnTotals = (db: Db) =>
  singleRow(db<ColumnTotals[]>`
    SELECT (SELECT coalesce(sum(bytes), 0)::bigint FROM event_property_columns) AS bytes,
      (SELECT count(*) FROM event_property_uses WHERE is_chosen) AS properties,
      (SELECT count(*) FROM event_files f WHERE f.state = 'live' AND f.level > 0
        AND f.projection IS NOT NULL AND EXISTS (SELECT FROM event_property_uses u
          WHERE u.app_id = f.app_id AND u.org_id = f.org_id AND u.is_chosen
            AND ${missingSql(db)})) AS missing`);
