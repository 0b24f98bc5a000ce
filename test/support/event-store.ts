import { KeyIndex } from '../../src/event-store/dedup/key-index.ts';
import { EVENT_COLUMNS, type EventRow } from '../../src/event-store/event/columns.ts';
import type { StoredEvent } from '../../src/event-store/event/stored-batch.ts';
import { HotEvents } from '../../src/event-store/hot/hot-events.ts';
import { type EventImport, insertImportChunk } from '../../src/event-store/imports/queries.ts';
import { IMPORT_KEY } from '../../src/event-store/log/arrival.ts';
import { EventLog } from '../../src/event-store/log/event-log.ts';
import type { RecordHeader } from '../../src/event-store/log/record.ts';
import type { Compactor } from '../../src/event-store/parquet/compactor.ts';
import { openEngine } from '../../src/event-store/parquet/engine.ts';
import { systemClock } from '../../src/shared/time.ts';
import { localObjectStore } from '../../src/storage/object-store/local.ts';
import type { ObjectStore } from '../../src/storage/object-store/port.ts';
import type { Sql } from '../../src/storage/postgres.ts';
import { quietLog, temporaryFolder } from './events.ts';

export type TestEventStore = Awaited<ReturnType<typeof openEventStore>>;

/** Log, compactor and hot tail on one folder and the suite's database, without HTTP. */
export async function openEventStore(sql: Sql, given?: ObjectStore) {
  const dir = temporaryFolder('event-store');
  const objects = given ?? localObjectStore(`${dir}/objects`);
  const log = quietLog();
  const logDir = `${dir}/log`;
  const engine = () => openEngine({ memoryMb: 256, threads: 2, tempDir: `${dir}/tmp` });
  // A connection does one thing at a time: what looks has one of its own.
  const connection = await engine();
  const keys = new KeyIndex((path) => objects.localPath(path));
  const compaction: Compactor = {
    sql,
    log,
    clock: systemClock,
    objects,
    connection: await engine(),
    keys,
    logDir,
  };
  const hot = new HotEvents({ sql, objects, clock: systemClock }, logDir);
  const openLog = (maxSegmentAgeMs = 30) => EventLog.open({ dir: logDir, log, maxSegmentAgeMs });
  return { dir, objects, log, logDir, connection, compaction, hot, openLog };
}

export function append(
  log: EventLog,
  appId: string,
  events: StoredEvent[],
  receivedAt = Date.now(),
  header: Pick<RecordHeader, 'environment'> = {},
): Promise<void> {
  const body = Buffer.from(JSON.stringify({ events }));
  return log.append({ org: 'org_1', app: appId, key: 'key_1', receivedAt, ...header, body });
}

/** As `importEventsFile` does: the chunk is noted ahead of its record. */
export async function appendImported(
  sql: Sql,
  log: EventLog,
  of: EventImport,
  events: StoredEvent[],
): Promise<void> {
  const receivedAt = await insertImportChunk(sql, of, Date.now());
  const body = Buffer.from(JSON.stringify({ events }));
  await log.append({ org: of.orgId, app: of.appId, key: IMPORT_KEY, receivedAt, body });
}

export const ALL_TIME = { fromMs: 0, toMs: 8_640_000_000_000 };

/** The rows of one app as a query would see them: files, then what is not in them yet. */
export async function visibleRows(
  store: Pick<TestEventStore, 'hot' | 'connection'>,
  appId: string,
  orgId = 'org_1',
): Promise<EventRow[]> {
  const snapshot = await store.hot.snapshot({ orgId, appId, ...ALL_TIME });
  const aliases = new Map(snapshot.lateAliases.map((link) => [link.anonymousId, link.userId]));
  const erased = new Set(snapshot.erased);
  const rows = [...snapshot.hotRows];
  for (const file of snapshot.files) rows.push(...(await readRows(store, file.path, appId)));
  return rows
    .map((row) => ({
      ...row,
      personId: row.userId ?? aliases.get(row.anonymousId) ?? row.personId,
    }))
    .filter(
      (row) => !erased.has(row.personId) && !(row.userId === null && erased.has(row.anonymousId)),
    );
}

export async function readRows(
  { connection }: Pick<TestEventStore, 'connection'>,
  path: string,
  appId: string,
): Promise<EventRow[]> {
  const columns = EVENT_COLUMNS.map(({ name, type, field }) => {
    const value = type === 'TIMESTAMPTZ' ? `epoch_us(${name})` : name;
    return type === 'UUID'
      ? `replace(${name}::VARCHAR, '-', '') AS "${field}"`
      : `${value} AS "${field}"`;
  });
  const reader = await connection.runAndReadAll(
    `SELECT ${columns.join(', ')} FROM read_parquet('${path}') WHERE app_id = '${appId}'`,
  );
  return reader
    .getRowObjects()
    .map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [
          key,
          typeof value === 'bigint' ? Number(value) : value,
        ]),
      ),
    ) as unknown as EventRow[];
}
