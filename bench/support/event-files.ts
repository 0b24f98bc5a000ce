import { mkdirSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { insertFile } from '../../src/event-store/catalogue/queries.ts';
import { HotEvents } from '../../src/event-store/hot/hot-events.ts';
import { EventLog } from '../../src/event-store/log/event-log.ts';
import { openEngine } from '../../src/event-store/parquet/engine.ts';
import { writeEventFile } from '../../src/event-store/parquet/write-file.ts';
import { DAY_MS, systemClock } from '../../src/shared/time.ts';
import { instantLiteral } from '../../src/storage/duckdb-literal.ts';
import { localObjectStore } from '../../src/storage/object-store/local.ts';
import type { ObjectStore } from '../../src/storage/object-store/port.ts';
import { createSql, type Sql } from '../../src/storage/postgres.ts';

export const BENCH_ORG = 'org_bench';
export const EVENTS_PER_PERSON = 20;
export const BENCH_DAYS = 30;
/** Anonymous people who signed up after the files were written. */
const LATE_SHARE = 0.05;
/** Of all events: what the log holds beyond the files, more than an hour's worth of the month. */
const HOT_SHARE = 0.002;
const RESENT_SHARE = 0.2;
const EVENTS_PER_BATCH = 100;

/** Whose events they are; somebody who need not exist when only queries are measured. */
export type Owner = { orgId: string; appId: string };

export type BenchEvents = {
  orgId: string;
  appId: string;
  hot: HotEvents;
  files: string[];
  /** The first moment of the files. */
  startMs: number;
  close: () => Promise<void>;
};

/**
 * 20 events a person, a quarter of them of the five step names; each person within ten of the
 * thirty days; every third one signed in. Step 3 carries the property that a step asks for.
 */
function eventsSql({ orgId, appId }: Owner, events: number, startMs: number): string {
  const people = events / EVENTS_PER_PERSON;
  const uuid = (seed: string) =>
    `left(md5(${seed}), 8) || '-' || substr(md5(${seed}), 9, 4) || '-4' || substr(md5(${seed}), 14, 3) || '-8' || substr(md5(${seed}), 18, 3) || '-' || right(md5(${seed}), 12)`;
  return `CREATE OR REPLACE TABLE generated AS
    WITH people AS (
      SELECT range AS p, ${uuid("'person' || range")} AS anonymous, range % 3 = 0 AS is_user
      FROM range(${people})
    ), rows AS (
      SELECT range AS r, range % ${people} AS p, hash(range * 7 + 1) AS a, hash(range * 11 + 2) AS b,
        hash(range * 13 + 5) AS c FROM range(${events})
    ), named AS (
      SELECT *, CASE WHEN a % 4 = 0 THEN 'step_' || (b % 5 + 1) ELSE 'other_' || (b % 15) END AS name,
        ${startMs * 1_000} + (hash(p) % 20) * 86400000000 + c % 864000000000 AS us
      FROM rows JOIN people USING (p)
    )
    SELECT '${orgId}' AS org_id, '${appId}' AS app_id, uuid() AS event_key, name,
      make_timestamptz(us::BIGINT) AS occurred_at, make_timestamptz((us + 1500000)::BIGINT) AS received_at,
      us::BIGINT AS arrival, (b % 20)::INTEGER AS batch_index,
      CASE WHEN is_user THEN 'user_' || p ELSE anonymous END AS person_id, anonymous AS anonymous_id,
      CASE WHEN is_user THEN 'user_' || p END AS user_id, 'session_' || (c % 1000000) AS session_id,
      strftime(make_timestamp(us::BIGINT), '%Y-%m-%dT%H:%M:%S.%gZ') AS client_ts,
      NULL::VARCHAR AS time_flag, (['ios', 'android', 'web'])[(1 + p % 3)::INTEGER] AS platform,
      '2.' || (p % 9) AS app_version, '26.1' AS os_version, 'en_US' AS locale, 'US' AS country,
      CASE WHEN name = 'step_3' THEN '{"plan":"' || (['yearly', 'monthly'])[(1 + c % 2)::INTEGER] || '","price":' || (c % 100) || '}'
        WHEN a % 3 = 0 THEN '{"screen":"home' || (c % 50) || '"}' END AS props,
      NULL::VARCHAR AS event_id, 'production' AS environment
    FROM named`;
}

async function writeDays(
  connection: DuckDBConnection,
  sql: Sql,
  objects: ObjectStore,
  startMs: number,
): Promise<void> {
  for (let day = 0; day < BENCH_DAYS; day += 1) {
    const from = new Date(startMs + day * DAY_MS);
    const store = { connection, objects, clock: () => from };
    const file = await writeEventFile(store, {
      from: `(FROM generated WHERE occurred_at >= ${instantLiteral(from.getTime() * 1_000)}
        AND occurred_at < ${instantLiteral((from.getTime() + DAY_MS) * 1_000)})`,
      level: 1,
      day: from.toISOString().slice(0, 10),
    });
    if (file) await sql.begin((tx) => insertFile(tx, file, 1));
  }
}

async function mapLate(
  connection: DuckDBConnection,
  sql: Sql,
  { orgId, appId }: Owner,
): Promise<void> {
  const late = await connection.runAndReadAll(
    `SELECT DISTINCT anonymous_id FROM generated
     WHERE user_id IS NULL AND hash(anonymous_id) % 1000 < ${LATE_SHARE * 1_000}`,
  );
  const ids = late.getRows().map(([id]) => String(id));
  await sql`
    INSERT INTO event_people (app_id, anonymous_id, user_id, org_id, mapped_at, catalogued_seq)
    SELECT ${appId}, id, 'late_' || id, ${orgId}, now(), 2 FROM unnest(${ids}::text[]) AS t(id)`;
}

/** What came in the last seconds: in the log only, a fifth of it sent twice. */
async function fillLog(
  logDir: string,
  { orgId, appId }: Owner,
  endMs: number,
  batches: number,
): Promise<EventLog> {
  mkdirSync(logDir, { recursive: true });
  const quiet = { error: () => undefined, warn: () => undefined, info: () => undefined };
  const log = await EventLog.open({ dir: logDir, log: quiet, maxSegmentAgeMs: 3_600_000 });
  for (let i = 0; i < batches * (1 + RESENT_SHARE); i += 1) {
    const batch = i % batches;
    const events = Array.from({ length: EVENTS_PER_BATCH }, (_, n) => ({
      name: n % 4 === 0 ? `step_${(n % 5) + 1}` : `other_${n % 15}`,
      ts: new Date(endMs - 60_000 + batch * 100 + n).toISOString(),
      anonymousId: `hot-person-${(batch * EVENTS_PER_BATCH + n) % 1_000}`,
    }));
    const body = Buffer.from(JSON.stringify({ events, context: { platform: 'ios' } }));
    await log.append({ org: orgId, app: appId, key: 'key_bench', receivedAt: endMs, body });
  }
  return log;
}

/** A month of events in files by day, with late sign-ups; `DATA_DIR/events` is the object store. */
export async function benchFiles(
  sql: Sql,
  dataDir: string,
  events: number,
  owner: Owner,
): Promise<{ objects: ObjectStore; startMs: number }> {
  const startMs = Math.floor(Date.now() / DAY_MS - BENCH_DAYS) * DAY_MS;
  const objects = localObjectStore(`${dataDir}/events`);
  const engine = await openEngine({ memoryMb: 6_000, threads: 2, tempDir: `${dataDir}/tmp-files` });
  await engine.run(eventsSql(owner, events, startMs));
  await writeDays(engine, sql, objects, startMs);
  await mapLate(engine, sql, owner);
  await engine.run('DROP TABLE generated');
  engine.closeSync();
  return { objects, startMs };
}

/** The same with a log that is not compacted yet. */
export async function benchEvents(
  databaseUrl: string,
  dataDir: string,
  events: number,
): Promise<BenchEvents> {
  const owner = { orgId: BENCH_ORG, appId: `app_bench_${events}` };
  const sql = createSql(databaseUrl, { maxConnections: 4, applicationName: 'bench' });
  const { objects, startMs } = await benchFiles(sql, dataDir, events, owner);
  const batches = Math.ceil((events * HOT_SHARE) / EVENTS_PER_BATCH);
  const logDir = `${dataDir}/${owner.appId}/log`;
  const log = await fillLog(logDir, owner, startMs + BENCH_DAYS * DAY_MS, batches);
  const hot = new HotEvents({ sql, objects, clock: systemClock }, logDir);
  const window = { ...owner, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER / 1_000 };
  const { files } = await hot.snapshot(window);
  return {
    ...owner,
    hot,
    files: files.map(({ path }) => path),
    startMs,
    close: async () => {
      await log.close();
      await sql.end();
    },
  };
}
