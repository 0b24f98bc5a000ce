import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { insertFile } from '../../src/event-store/catalogue/queries.ts';
import { HotEvents } from '../../src/event-store/hot/hot-events.ts';
import { EventLog } from '../../src/event-store/log/event-log.ts';
import type { FileLevel } from '../../src/event-store/objects/names.ts';
import { openEngine } from '../../src/event-store/parquet/engine.ts';
import { writeEventFile } from '../../src/event-store/parquet/write-file.ts';
import { DAY_MS, systemClock } from '../../src/shared/time.ts';
import { instantLiteral, textLiteral } from '../../src/storage/duckdb-literal.ts';
import { localObjectStore } from '../../src/storage/object-store/local.ts';
import type { ObjectStore } from '../../src/storage/object-store/port.ts';
import { createSql, type Sql } from '../../src/storage/postgres.ts';
import { type Blocks, generateBlocks, type Owner } from './generated-month.ts';
import { keepFiles, takeKept } from './kept-files.ts';
import { option } from './options.ts';

export const BENCH_ORG = 'org_bench';
/** Of files that `BENCH_ORG` has. */
export const benchApp = (events: number, apps = 1) => `app_bench_${events}_${apps}`;
export const BENCH_DAYS = 30;
/** Anonymous people who signed up after the files were written. */
const LATE_SHARE = 0.05;
/** Of all events: what the log holds beyond the files, more than an hour's worth of the month. */
const HOT_SHARE = 0.002;
const RESENT_SHARE = 0.2;
const EVENTS_PER_BATCH = 100;
/** `--keep=DIR`: files of one app are made once, and taken from there by the next benchmark. */
const KEEP = option('keep');

export type BenchEvents = {
  orgId: string;
  appId: string;
  sql: Sql;
  objects: ObjectStore;
  hot: HotEvents;
  files: string[];
  logDir: string;
  /** The first moment of the files. */
  startMs: number;
  close: () => Promise<void>;
};

/** Writes one file of what lies in [fromMs, toMs). */
type WritePart = {
  level: FileLevel;
  day: string | null;
  fromMs: number;
  toMs: number;
  where: string;
};

async function writePart(
  connection: DuckDBConnection,
  sql: Sql,
  objects: ObjectStore,
  blocks: Blocks,
  { level, day, fromMs, toMs, where }: WritePart,
): Promise<void> {
  const store = { connection, objects, clock: () => new Date(fromMs) };
  const file = await writeEventFile(store, {
    from: `(FROM ${blocks.from(day)} WHERE ${where}
      AND occurred_at >= ${instantLiteral(fromMs * 1_000)}
      AND occurred_at < ${instantLiteral(toMs * 1_000)})`,
    level,
    day: level === 1 ? day : null,
  });
  if (file) await sql.begin((tx) => insertFile(tx, file, 1));
}

/** A file a day; of one app among many, its closed days in one file and the last day in a file of all apps. */
function partsOf({ appId, apps }: Owner, startMs: number): WritePart[] {
  const part = (fromDay: number, days: number, level: FileLevel, where: string): WritePart => {
    const fromMs = startMs + fromDay * DAY_MS;
    const day = days === 1 ? new Date(fromMs).toISOString().slice(0, 10) : null;
    return { level, day, fromMs, toMs: fromMs + days * DAY_MS, where };
  };
  if (apps === 1) return Array.from({ length: BENCH_DAYS }, (_, day) => part(day, 1, 1, 'true'));
  // Nobody is active on the last day.
  const closed = BENCH_DAYS - 2;
  return [part(0, closed, 2, `app_id = ${textLiteral(appId)}`), part(closed, 1, 0, 'true')];
}

async function mapLate(sql: Sql, { orgId, appId }: Owner, late: readonly string[]): Promise<void> {
  await sql`
    INSERT INTO event_people (app_id, anonymous_id, user_id, org_id, mapped_at, catalogued_seq)
    SELECT ${appId}, id, 'late_' || id, ${orgId}, now(), 2 FROM unnest(${[...late]}::text[]) AS t(id)`;
  // Erasures come after it.
  await sql`UPDATE event_catalogue SET seq = greatest(seq, 2) WHERE id = 1`;
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

type Month = { orgId: string; appId: string; apps?: number; hasDurations?: boolean };

/**
 * A month of events in files, with late sign-ups; `DATA_DIR/events` is the object store. `rawFile`
 * has all of them, of every app, as one Parquet file.
 */
export async function benchFiles(
  sql: Sql,
  dataDir: string,
  events: number,
  { orgId, appId, apps = 1, hasDurations = false }: Month,
  rawFile?: string,
): Promise<{ objects: ObjectStore; startMs: number }> {
  const owner = { orgId, appId, apps };
  const startMs = Math.floor(Date.now() / DAY_MS - BENCH_DAYS) * DAY_MS;
  const eventsDir = `${dataDir}/events`;
  const objects = localObjectStore(eventsDir);
  const keptName = hasDurations ? `${events}-durations` : String(events);
  const keptDir = apps === 1 && KEEP !== undefined ? join(KEEP, keptName) : null;
  const kept = keptDir && (await takeKept(sql, eventsDir, keptDir, owner));
  if (kept) return { objects, startMs: kept.startMs };
  const engine = await openEngine({ memoryMb: 6_000, threads: 2, tempDir: `${dataDir}/tmp-files` });
  const days = Array.from({ length: BENCH_DAYS }, (_, day) => startMs + day * DAY_MS);
  const rawDir = `${dataDir}/tmp-files/raw`;
  const blocks = await generateBlocks(engine, {
    owner,
    events,
    days,
    hasDurations,
    rawDir,
    lateShare: LATE_SHARE,
  });
  for (const part of partsOf(owner, startMs)) {
    await writePart(engine, sql, objects, blocks, part);
    // Nobody reads a day of the one app again.
    if (part.day !== null && apps === 1 && rawFile === undefined) blocks.dropDay(part.day);
  }
  await mapLate(sql, owner, blocks.late);
  if (rawFile) await blocks.copyTo(rawFile);
  await blocks.drop();
  engine.closeSync();
  if (keptDir) await keepFiles(sql, eventsDir, keptDir, { ...owner, startMs });
  return { objects, startMs };
}

type BenchOptions = { apps?: number; rawFile?: string; hasDurations?: boolean };

/** The same with a log that is not compacted yet. */
export async function benchEvents(
  databaseUrl: string,
  dataDir: string,
  events: number,
  { apps = 1, rawFile, hasDurations = false }: BenchOptions = {},
): Promise<BenchEvents> {
  const owner = { orgId: BENCH_ORG, appId: benchApp(events, apps), apps, hasDurations };
  const sql = createSql(databaseUrl, { maxConnections: 4, applicationName: 'bench' });
  const { objects, startMs } = await benchFiles(sql, dataDir, events, owner, rawFile);
  const batches = Math.ceil((events * HOT_SHARE) / EVENTS_PER_BATCH / apps);
  const logDir = `${dataDir}/${owner.appId}/log`;
  const log = await fillLog(logDir, owner, startMs + BENCH_DAYS * DAY_MS, batches);
  const hot = new HotEvents({ sql, objects, clock: systemClock }, logDir);
  const window = { ...owner, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER / 1_000 };
  const { files } = await hot.snapshot(window);
  return {
    orgId: owner.orgId,
    appId: owner.appId,
    sql,
    objects,
    hot,
    logDir,
    files: files.map(({ path }) => path),
    startMs,
    close: async () => {
      await log.close();
      await sql.end();
    },
  };
}
