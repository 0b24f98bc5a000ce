import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { Glob } from 'bun';
import { FILE_COLUMNS_SQL } from '../../src/event-store/event/columns.ts';
import { DAY_MS } from '../../src/shared/time.ts';
import { instantLiteral, textLiteral } from '../../src/storage/duckdb-literal.ts';

const EVENTS_PER_PERSON = 20;
/** So many are generated in memory; more go through files. */
const BLOCK_EVENTS = 10_000_000;

/** Whose events they are; somebody who need not exist when only queries are measured. */
export type Owner = { orgId: string; appId: string; apps: number };

export type Month = {
  owner: Owner;
  events: number;
  /** Where each day begins. */
  days: readonly number[];
  /** Whether every screen has a duration, a number of a hundred thousand values. */
  hasDurations?: boolean;
  /** For what does not fit into memory at once. */
  rawDir: string;
  /** Of the anonymous people: who signs up later. */
  lateShare: number;
};

export type Blocks = {
  /** What to read a day's events from, which may hold others too; all events without a day. */
  from: (day: string | null) => string;
  late: string[];
  copyTo: (file: string) => Promise<void>;
  /** Gives the disk back that a day's events take, where they are in files. */
  dropDay: (day: string) => void;
  drop: () => Promise<void>;
};

/**
 * 20 events a person, a quarter of them of the five step names; each person within ten of the
 * thirty days; every third one signed in. Step 3 carries the property that a step asks for. People
 * are dealt to `apps` apps, of which the first is the owner's.
 */
function eventsSql(
  { orgId, appId, apps }: Owner,
  { first, events }: { first: number; events: number },
  startMs: number,
  hasDurations: boolean,
): string {
  const duration = hasDurations ? `',"duration":' || (a % 100000) || ` : '';
  const people = events / EVENTS_PER_PERSON;
  const from = first / EVENTS_PER_PERSON;
  const uuid = (seed: string) =>
    `left(md5(${seed}), 8) || '-' || substr(md5(${seed}), 9, 4) || '-4' || substr(md5(${seed}), 14, 3) || '-8' || substr(md5(${seed}), 18, 3) || '-' || right(md5(${seed}), 12)`;
  const app =
    apps === 1
      ? `'${appId}'`
      : `CASE p % ${apps} WHEN 0 THEN '${appId}' ELSE 'app_' || (p % ${apps}) END`;
  return `CREATE OR REPLACE TABLE generated AS
    WITH people AS (
      SELECT range AS p, ${uuid("'person' || range")} AS anonymous, range % 3 = 0 AS is_user
      FROM range(${from}, ${from + people})
    ), rows AS (
      SELECT range AS r, ${from} + range % ${people} AS p, hash(range * 7 + 1) AS a,
        hash(range * 11 + 2) AS b, hash(range * 13 + 5) AS c FROM range(${first}, ${first + events})
    ), named AS (
      SELECT *, CASE WHEN a % 4 = 0 THEN 'step_' || (b % 5 + 1) ELSE 'other_' || (b % 15) END AS name,
        ${startMs * 1_000} + (hash(p) % 20) * 86400000000 + c % 864000000000 AS us
      FROM rows JOIN people USING (p)
    )
    SELECT '${orgId}' AS org_id, ${app} AS app_id, uuid() AS event_key, name,
      make_timestamptz(us::BIGINT) AS occurred_at, make_timestamptz((us + 1500000)::BIGINT) AS received_at,
      us::BIGINT AS arrival, (b % 20)::INTEGER AS batch_index,
      CASE WHEN is_user THEN 'user_' || p ELSE anonymous END AS person_id, anonymous AS anonymous_id,
      CASE WHEN is_user THEN 'user_' || p END AS user_id, 'session_' || (c % 1000000) AS session_id,
      strftime(make_timestamp(us::BIGINT), '%Y-%m-%dT%H:%M:%S.%gZ') AS client_ts,
      NULL::VARCHAR AS time_flag, (['ios', 'android', 'web'])[(1 + p % 3)::INTEGER] AS platform,
      '2.' || (p % 9) AS app_version, '26.1' AS os_version, 'en_US' AS locale, 'US' AS country,
      CASE WHEN name = 'step_3' THEN '{"plan":"' || (['yearly', 'monthly'])[(1 + c % 2)::INTEGER] || '","price":' || (c % 100) || '}'
        WHEN a % 3 = 0 THEN '{"screen":"home' || (c % 50) || '"' || ${duration}'}' END AS props,
      NULL::VARCHAR AS event_id, 'production' AS environment
    FROM named`;
}

async function lateOf(connection: DuckDBConnection, { owner, lateShare }: Month) {
  const found = await connection.runAndReadAll(
    `SELECT DISTINCT anonymous_id FROM generated
     WHERE user_id IS NULL AND app_id = ${textLiteral(owner.appId)}
       AND hash(anonymous_id) % 1000 < ${lateShare * 1_000}`,
  );
  return found.getRows().map(([id]) => String(id));
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Generates the month, a block of people at a time; a single block stays in memory. */
export async function generateBlocks(connection: DuckDBConnection, month: Month): Promise<Blocks> {
  const { owner, events, days, rawDir, hasDurations = false } = month;
  const [startMs = 0] = days;
  const late: string[] = [];
  const isOne = events <= BLOCK_EVENTS;
  if (!isOne) mkdirSync(rawDir, { recursive: true });
  for (let first = 0; first < events; first += BLOCK_EVENTS) {
    const block = { first, events: Math.min(BLOCK_EVENTS, events - first) };
    await connection.run(eventsSql(owner, block, startMs, hasDurations));
    late.push(...(await lateOf(connection, month)));
    if (isOne) break;
    for (const day of days) {
      await connection.run(`COPY (FROM generated
        WHERE occurred_at >= ${instantLiteral(day * 1_000)}
          AND occurred_at < ${instantLiteral((day + DAY_MS) * 1_000)})
        TO ${textLiteral(join(rawDir, `${first}-${dayOf(day)}.parquet`))} (FORMAT parquet)`);
    }
    await connection.run('DROP TABLE generated');
  }
  const from = (day: string | null) =>
    isOne ? 'generated' : `read_parquet(${textLiteral(`${rawDir}/*-${day ?? '*'}.parquet`)})`;
  return {
    late,
    from,
    copyTo: async (file) => {
      await connection.run(
        `COPY (SELECT ${FILE_COLUMNS_SQL} FROM ${from(null)}) TO ${textLiteral(file)} (FORMAT parquet)`,
      );
    },
    dropDay: (day) => {
      if (isOne) return;
      for (const path of new Glob(`*-${day}.parquet`).scanSync(rawDir)) rmSync(join(rawDir, path));
    },
    drop: async () => {
      await connection.run('DROP TABLE IF EXISTS generated');
      rmSync(rawDir, { recursive: true, force: true });
    },
  };
}
