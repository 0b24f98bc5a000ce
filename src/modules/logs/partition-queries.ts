import type { AppScope } from '../../shared/app.ts';
import { onlyRow } from '../../shared/assert.ts';
import { DAY_MS } from '../../shared/time.ts';
import { lock } from '../../storage/locks.ts';
import { type Db, type Fragment, hasRows, type Sql, column, done } from '../../storage/postgres.ts';
import { asJson, type PersonIds, type PersonPlace } from '../../storage/stored-rows.ts';
import { DEVICE_FIELDS, USER_FIELDS } from './people.ts';

const BATCH = 10_000;

const partitionName = (day: string) => `logs_${day.replaceAll('-', '')}`;

export const toUtcDay = (at: Date): string => at.toISOString().slice(0, 10);

export async function ensurePartition(sql: Sql, day: string): Promise<void> {
  const name = partitionName(day);
  await sql.begin(async (tx) => {
    await lock(tx, 'logPartitions');
    const partitions = await tx<{ name: string | null }[]>`SELECT to_regclass(${name}) AS name`;
    if (onlyRow(partitions).name !== null) return;
    await tx`CREATE TABLE ${tx(name)} (LIKE logs INCLUDING ALL)`;
    const until = toUtcDay(new Date(Date.parse(day) + DAY_MS));
    // Partition bounds cannot be parameters; both are formatted dates.
    await tx.unsafe(
      `ALTER TABLE logs ATTACH PARTITION ${name} FOR VALUES FROM ('${day}') TO ('${until}')`,
    );
  });
}

export async function partitionDays(sql: Db): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'logs'::regclass ORDER BY 1`;
  return rows.map(({ name }) => name.replace(/^logs_(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'));
}

export async function dropPartition(sql: Sql, day: string): Promise<void> {
  await sql`DROP TABLE IF EXISTS ${sql(partitionName(day))}`;
  await sql`DELETE FROM log_facets WHERE day = ${day}::date`;
  await sql`DELETE FROM log_expiry WHERE day = ${day}::date`;
}

export const appRetentions = (sql: Sql) =>
  column(sql<{ days: number | null }[]>`
    SELECT DISTINCT log_retention_days AS days FROM app_datasets`);

export const isExpiredSince = (sql: Sql, day: string, after: Date) =>
  hasRows(sql`
    SELECT 1 FROM log_expiry WHERE day = ${day}::date AND expired_at > ${after}`);

export const noteExpired = (sql: Sql, day: string, now: Date) =>
  done(sql`
    INSERT INTO log_expiry (day, expired_at) VALUES (${day}::date, ${now})
    ON CONFLICT (day) DO UPDATE SET expired_at = EXCLUDED.expired_at`);

async function deleteWhere(sql: Db, day: string, condition: Fragment): Promise<number> {
  const table = sql(partitionName(day));
  let deleted = 0;
  for (let batch = BATCH; batch === BATCH; deleted += batch) {
    const counts = await sql<{ entries: number }[]>`
      WITH gone AS (
        DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
          SELECT log.ctid FROM ${table} AS log WHERE ${condition} LIMIT ${BATCH}))
        RETURNING org_id, service, coalesce(env, '') AS env, level),
      counted AS (
        SELECT org_id, service, env, level, count(*) AS entries FROM gone
        GROUP BY org_id, service, env, level),
      discounted AS (
        UPDATE log_facets AS facet SET entries = facet.entries - counted.entries FROM counted
        WHERE facet.day = ${day}::date AND facet.org_id = counted.org_id
          AND facet.service = counted.service AND facet.env = counted.env
          AND facet.level = counted.level)
      SELECT coalesce(sum(entries), 0)::bigint AS entries FROM counted`;
    batch = onlyRow(counts).entries;
  }
  if (deleted > 0) await sql`DELETE FROM log_facets WHERE day = ${day}::date AND entries <= 0`;
  return deleted;
}

/** `otherwise`: retention of entries without an app. */
export async function deleteExpired(
  sql: Sql,
  day: string,
  { ageDays, otherwise }: { ageDays: number; otherwise: number },
): Promise<number> {
  return deleteWhere(
    sql,
    day,
    sql`CASE
      WHEN EXISTS (SELECT 1 FROM app_datasets d
        WHERE d.org_id = log.org_id AND d.app_id = log.app_id)
      THEN EXISTS (SELECT 1 FROM app_datasets d
        WHERE d.org_id = log.org_id AND d.app_id = log.app_id
          AND d.log_retention_days < ${ageDays})
      ELSE ${otherwise}::int < ${ageDays}::int END`,
  );
}

export async function deleteLogsOfApp(
  sql: Sql,
  { orgId, appId }: { orgId: string; appId: string },
): Promise<void> {
  for (const day of await partitionDays(sql)) {
    await deleteWhere(sql, day, sql`org_id = ${orgId} AND app_id = ${appId}`);
  }
}

const fieldsOf = (names: readonly string[]) =>
  names.flatMap((name) => [
    `@."${name}"`,
    ...(name.includes('.')
      ? [
          `@${name
            .split('.')
            .map((part) => `."${part}"`)
            .join('')}`,
        ]
      : []),
  ]);
const NAMES_ANY = (names: readonly string[]) =>
  `$.fields.** ? (${fieldsOf(names)
    .map((field) => `${field} == $ids[*]`)
    .join(' || ')})`;
const NAMES_USER = `$.fields.** ? (${fieldsOf(USER_FIELDS)
  .map((field) => `${field} > "" || ${field} > -9e99`)
  .join(' || ')})`;

const idsJson = (ids: readonly string[]) =>
  JSON.stringify({
    ids: ids.flatMap((id) =>
      Number.isFinite(Number(id)) && String(Number(id)) === id ? [id, Number(id)] : [id],
    ),
  });

/** Without an app only whom no other app knows. */
function ofPerson(sql: Db, { orgId, appId }: AppScope, { ids, devices }: PersonIds) {
  const all = [...new Set([...ids, ...devices])];
  const names = (path: string, of: readonly string[]) =>
    sql`jsonb_path_exists(${asJson(sql, 'entry')}, ${path}::text::jsonpath, ${idsJson(of)}::text::jsonb)`;
  return sql`org_id = ${orgId} AND (app_id = ${appId} OR (app_id IS NULL AND NOT EXISTS (
      SELECT FROM event_people p WHERE p.org_id = ${orgId} AND p.app_id <> ${appId}
        AND (p.user_id = ANY(${all}) OR p.anonymous_id = ANY(${all})))))
    AND CASE WHEN EXISTS (
      SELECT FROM unnest(${all.map((id) => JSON.stringify(id).slice(1, -1))}::text[]) AS text
      WHERE strpos(entry, text) > 0)
    THEN ${names(NAMES_ANY(USER_FIELDS), ids)} OR (${names(NAMES_ANY(DEVICE_FIELDS), devices)}
      AND NOT ${names(NAMES_USER, [])}) ELSE false END`;
}

async function deleteLogsOfPerson(sql: Db, scope: AppScope, person: PersonIds): Promise<void> {
  for (const day of await partitionDays(sql)) {
    await deleteWhere(sql, day, ofPerson(sql, scope, person));
  }
}

export const LOGS_OF_PERSON: PersonPlace = {
  kind: 'log_entry',
  table: 'logs',
  ids: [],
  words: ['entry', 'haystack', 'request_id'],
  key: (sql) => sql`to_char(at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS') || log_id`,
  where: ofPerson,
  erase: deleteLogsOfPerson,
};
