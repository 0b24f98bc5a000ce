import { type Static, Type } from '@sinclair/typebox';
import { advanceCatalogue, ERASED_AS, type ErasedId } from '../../event-store/place.ts';
import { OneOf, parser } from '../../shared/schema.ts';
import { hasTable } from '../../storage/release.ts';
import {
  type Db,
  hasRows,
  type Sql,
  type Tx,
  singleValue,
  singleRow,
} from '../../storage/postgres.ts';
import type { PersonPlace } from '../../storage/stored-rows.ts';

const Gone = Type.Object({
  format: Type.Literal(1),
  installation: Type.String(),
  erasures: Type.Array(
    Type.Object({
      orgId: Type.String(),
      appId: Type.String(),
      hash: Type.String(),
      erasedAs: OneOf(ERASED_AS),
      erasedAt: Type.String(),
    }),
  ),
  apps: Type.Array(Type.String()),
  organizations: Type.Array(Type.String()),
});
export type Gone = Static<typeof Gone>;
const gones = parser(Gone, 'list of erasures');
export const parseGone = (text: string): Gone => gones.parse(JSON.parse(text));

/** Changes with what `selectGone` says, and is cheap. */
export const goneMark = (db: Db) =>
  singleValue(db<{ mark: string }[]>`
    SELECT concat_ws(' ', (SELECT concat(count(*), '/', max(seq)) FROM event_erasures),
      (SELECT count(*) FROM event_deleted_apps), (SELECT count(*) FROM organization_deletions),
      (SELECT count(*) FROM apps WHERE deleted_at IS NOT NULL)) AS mark`);

export const selectGone = (db: Db) =>
  singleRow(db<Omit<Gone, 'format'>[]>`
    SELECT (SELECT id::text FROM installation) AS installation,
      (SELECT coalesce(json_agg(json_build_object('orgId', org_id, 'appId', app_id,
        'hash', subject_hash, 'erasedAs', erased_as, 'erasedAt', erased_at)
        ORDER BY app_id, subject_hash), '[]') FROM event_erasures) AS erasures,
      ARRAY(SELECT app_id FROM event_deleted_apps
        UNION SELECT app_id FROM apps WHERE deleted_at IS NOT NULL ORDER BY 1) AS apps,
      ARRAY(SELECT org_id FROM organization_deletions ORDER BY 1) AS organizations`);

export async function insertErasures(tx: Tx, { erasures }: Gone): Promise<number> {
  const seq = await advanceCatalogue(tx);
  const rows = await tx`
    INSERT INTO event_erasures AS e (org_id, app_id, subject_hash, erased_as, erased_at, seq)
    SELECT g->>'orgId', g->>'appId', g->>'hash', g->>'erasedAs', (g->>'erasedAt')::timestamptz,
      ${seq}
    FROM jsonb_array_elements(${JSON.stringify(erasures)}::text::jsonb) AS g
    ON CONFLICT (app_id, subject_hash) DO UPDATE SET erased_as = CASE
      WHEN e.erased_as = excluded.erased_as THEN e.erased_as ELSE 'both' END
    RETURNING xmax = 0 AS is_new`;
  return rows.filter(({ is_new: isNew }) => isNew).length;
}

export async function deleteAppsAgain(tx: Tx, { apps }: Gone): Promise<number> {
  const rows = await tx`
    UPDATE apps SET deleted_at = now(), run_ensured_at = NULL
    WHERE app_id = ANY(${apps}) AND deleted_at IS NULL RETURNING 1`;
  return rows.length;
}

type NamedId = { orgId: string } & Required<ErasedId>;

const idsIn = (db: Db, table: string, column: string) => db<NamedId[]>`
  SELECT DISTINCT e.org_id AS "orgId", e.app_id AS "appId", named.id, e.erased_as AS "erasedAs"
  FROM ${db(table)} AS t
    JOIN (SELECT DISTINCT org_id, app_id FROM event_erasures) AS a ON a.org_id = t.org_id
    CROSS JOIN LATERAL (SELECT to_jsonb(t.${db(column)}) AS ids) AS held
    CROSS JOIN LATERAL jsonb_array_elements_text(
      CASE jsonb_typeof(ids) WHEN 'array' THEN ids ELSE jsonb_build_array(ids) END) AS named(id)
    JOIN event_erasures e ON e.app_id = a.app_id AND e.subject_hash = encode(sha256(convert_to(
      '[' || to_json(a.app_id)::text || ',' || to_json(named.id)::text || ']', 'UTF8')), 'hex')`;

export async function erasedInTables(db: Db, places: readonly PersonPlace[]): Promise<NamedId[]> {
  const found: NamedId[] = [];
  const columns = places.flatMap(({ table, ids }) => ids.map((column) => [table, column] as const));
  const people = [['event_people', 'anonymous_id'] as const, ['event_people', 'user_id'] as const];
  for (const [table, column] of [...people, ...columns]) {
    found.push(...(await idsIn(db, table, column)));
  }
  return found;
}

export async function deleteErasedAliases(tx: Tx, ids: readonly NamedId[]): Promise<void> {
  const devices = ids.filter(({ erasedAs }) => erasedAs !== 'person');
  await tx`
    DELETE FROM event_people p
    USING unnest(${devices.map(({ appId }) => appId)}::text[],
      ${devices.map(({ id }) => id)}::text[]) AS erased(app_id, id)
    WHERE p.app_id = erased.app_id AND p.anonymous_id = erased.id`;
}

export async function isInUse(db: Db): Promise<boolean> {
  const tables = await db`SELECT 1 WHERE to_regclass('auth."user"') IS NOT NULL`;
  if (tables.length === 0) return false;
  return hasRows(db`
    SELECT 1 FROM auth."user" UNION ALL SELECT 1 FROM apps LIMIT 1`);
}

/** Service processes connected to this database, without commands. */
export async function selectRunningProcesses(db: Db): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    SELECT DISTINCT split_part(application_name, ':', 1) AS name FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'control-plane-%'
      AND application_name !~ '-(admin|analyst)(:|$)'
      AND (state IS DISTINCT FROM 'idle' OR state_change > now() - interval '2 minutes')
    ORDER BY name`;
  return rows.map(({ name }) => name.replace('control-plane-', ''));
}

export type FileFormat = { format: number; files: number; bytes: number };

export const selectFileFormats = async (db: Db): Promise<FileFormat[]> =>
  (await hasTable(db, 'event_files'))
    ? db<FileFormat[]>`
        SELECT coalesce((to_jsonb(f) ->> 'format')::int, 1) AS format, count(*)::int AS files,
          coalesce(sum(bytes), 0)::bigint AS bytes
        FROM event_files f WHERE state = 'live' GROUP BY 1 ORDER BY 1`
    : [];

export const selectSize = (db: Db) =>
  singleValue(db<{ bytes: number }[]>`SELECT pg_database_size(current_database()) AS bytes`);

export type Snapshot = { snapshotAt: Date; catalogueSeq: number };

export const snapshot = (tx: Db) =>
  singleRow(tx<Snapshot[]>`
    SELECT now() AS "snapshotAt", seq AS "catalogueSeq" FROM event_catalogue`);

/** Next to the backups: none of them can hold it. */
export const GONE = 'gone.json';

export const describeGone = async (sql: Sql): Promise<string> =>
  `${JSON.stringify({ format: 1, ...(await selectGone(sql)) })}\n`;
