import type { ISql } from 'postgres';
import { onlyRow } from '../../shared/assert.ts';
import { type Sql, singleValue } from '../../storage/postgres.ts';
import type { LogFilter } from './filter.ts';
import type { LogRecord, StoredLog } from './record.ts';

/** With more, the newest are found fast. */
const FEW_HITS = 20_000;
const QUERY_TIMEOUT_MS = 10_000;
const MAX_FACETS = 500;

const storedLog = (sql: ISql) =>
  sql`log_id AS id, at, level, service, env, request_id AS "requestId", entry`;

/** Idempotent. One lock order against deadlocks. */
export async function insertLogs(sql: ISql, records: readonly LogRecord[]): Promise<void> {
  const column = <T>(pick: (record: LogRecord) => T) => records.map(pick);
  await sql`
    WITH stored AS (
      INSERT INTO logs
        (org_id, at, log_id, level, service, env, request_id, app_id, entry, haystack)
      SELECT * FROM unnest(
        ${column((r) => r.orgId)}::text[], ${column((r) => r.at.toISOString())}::timestamptz[],
        ${column((r) => r.id)}::text[], ${column((r) => r.level)}::text[],
        ${column((r) => r.service)}::text[], ${column((r) => r.env)}::text[],
        ${column((r) => r.requestId)}::text[], ${column((r) => r.appId)}::text[],
        ${column((r) => r.entry)}::text[], ${column((r) => r.haystack)}::text[])
      ON CONFLICT DO NOTHING
      RETURNING org_id, (at AT TIME ZONE 'UTC')::date AS day, service, coalesce(env, '') AS env,
        level)
    INSERT INTO log_facets AS facet (org_id, day, service, env, level, entries)
    SELECT org_id, day, service, env, level, count(*) FROM stored
    GROUP BY org_id, day, service, env, level ORDER BY org_id, day, service, env, level
    ON CONFLICT (org_id, day, service, env, level)
      DO UPDATE SET entries = facet.entries + EXCLUDED.entries`;
}

export async function selectFacets(
  sql: ISql,
  orgId: string,
): Promise<{ resources: string[]; envs: string[] }> {
  const services = await sql<{ name: string }[]>`
    SELECT DISTINCT service AS name FROM log_facets WHERE org_id = ${orgId}
    ORDER BY 1 LIMIT ${MAX_FACETS}`;
  const envs = await sql<{ name: string }[]>`
    SELECT DISTINCT env AS name FROM log_facets WHERE org_id = ${orgId} AND env <> ''
    ORDER BY 1 LIMIT ${MAX_FACETS}`;
  return { resources: services.map(({ name }) => name), envs: envs.map(({ name }) => name) };
}

function conditions(sql: ISql, filter: LogFilter) {
  const { orgId, service, level, env, requestIds, since, until, needle } = filter;
  return sql`org_id = ${orgId}
    ${service === null ? sql`` : sql`AND service = ${service}`}
    ${level === null ? sql`` : sql`AND level = ${level}`}
    ${env === null ? sql`` : env === '' ? sql`AND env IS NULL` : sql`AND env = ${env}`}
    ${requestIds === null ? sql`` : sql`AND request_id = ANY (${requestIds}::text[])`}
    ${since === null ? sql`` : sql`AND at >= ${since}`}
    ${until === null ? sql`` : sql`AND at <= ${until}`}
    ${needle === null ? sql`` : sql`AND strpos(haystack, ${needle}) > 0`}`;
}

type Key = { at: Date; log_id: string };

async function fewHits(tx: ISql, filter: LogFilter): Promise<Key[] | null> {
  const keys = await tx<Key[]>`
    SELECT at, log_id FROM logs WHERE ${conditions(tx, filter)} LIMIT ${FEW_HITS + 1}`;
  return keys.length > FEW_HITS ? null : keys;
}

async function selectByKeys(
  tx: ISql,
  filter: LogFilter,
  keys: readonly Key[],
): Promise<StoredLog[]> {
  if (keys.length === 0) return [];
  return tx<StoredLog[]>`
    SELECT ${storedLog(tx)} FROM logs
    JOIN unnest(${keys.map((key) => key.at.toISOString())}::timestamptz[],
      ${keys.map((key) => key.log_id)}::text[]) AS hit(at, log_id) USING (at, log_id)
    WHERE org_id = ${filter.orgId} ORDER BY at DESC, log_id DESC`;
}

const newestFirst = (a: Key, b: Key) =>
  b.at.getTime() - a.at.getTime() || (a.log_id < b.log_id ? 1 : -1);

/** From facets, for queries by service, level and env; null otherwise. */
async function totalOfFacets(tx: ISql, filter: LogFilter): Promise<number | null> {
  const { orgId, service, level, env, requestIds, since, until, needle } = filter;
  if ([requestIds, since, until, needle].some((condition) => condition !== null)) return null;
  const totals = await tx<{ total: number }[]>`
    SELECT coalesce(sum(entries), 0)::bigint AS total FROM log_facets WHERE org_id = ${orgId}
      ${service === null ? tx`` : tx`AND service = ${service}`}
      ${level === null ? tx`` : tx`AND level = ${level}`}
      ${env === null ? tx`` : tx`AND env = ${env}`}`;
  return onlyRow(totals).total;
}

const totalByCounting = (tx: ISql, filter: LogFilter) =>
  singleValue(tx<{ total: number }[]>`
    SELECT count(*) AS total FROM logs WHERE ${conditions(tx, filter)}`);

export async function selectLogs(
  sql: Sql,
  filter: LogFilter,
): Promise<{ logs: StoredLog[]; total: number }> {
  return sql.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (tx) => {
    // All cores for a scan for `q`; JIT costs more than it saves.
    await tx`SELECT set_config('statement_timeout', ${String(QUERY_TIMEOUT_MS)}, true),
      set_config('jit', 'off', true), set_config('parallel_setup_cost', '0', true),
      set_config('parallel_tuple_cost', '0', true)`;
    const few = filter.needle === null ? null : await fewHits(tx, filter);
    if (few) {
      const newest = few.toSorted(newestFirst).slice(0, filter.limit);
      return { logs: await selectByKeys(tx, filter, newest), total: few.length };
    }
    const total = (await totalOfFacets(tx, filter)) ?? (await totalByCounting(tx, filter));
    const logs = await tx<StoredLog[]>`
      SELECT ${storedLog(tx)} FROM logs
      WHERE ${conditions(tx, filter)} ORDER BY at DESC, log_id DESC LIMIT ${filter.limit}`;
    return { logs, total };
  });
}
