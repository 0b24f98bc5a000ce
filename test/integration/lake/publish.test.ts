import { describe, expect, test } from 'bun:test';
import { sweepRetired } from '../../../src/event-store/catalogue/sweep.ts';
import {
  deleteAppEvents,
  eraseFromEvents,
  finishErasures,
} from '../../../src/event-store/people/erasure-queries.ts';
import { undoImport } from '../../../src/event-store/undo/undo-import.ts';
import { parseMicros } from '../../../src/lake/format/values.ts';
import { publishLake } from '../../../src/lake/publish.ts';
import { newId } from '../../../src/shared/ids.ts';
import { textList } from '../../../src/storage/duckdb-literal.ts';
import type { ObjectStore } from '../../../src/storage/object-store/port.ts';
import { appendImported, openEventStore, visibleRows } from '../../support/event-store.ts';
import { event } from '../../support/events.ts';
import { documented } from '../../support/lake/docs.ts';
import { livePaths, maintain, merge, someEvents, take } from '../../support/lake/events.ts';
import { lakeOf } from '../../support/lake/lake.ts';
import { checkNoOrphan } from '../../support/lake/orphans.ts';
import {
  currentFiles,
  type ReadFile,
  type ReadTable,
  readTable,
} from '../../support/lake/read-table.ts';
import { makeOld } from '../../support/old-event-files.ts';
import { testDatabase } from '../../support/postgres.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';

async function openLake() {
  const { sql } = await testDatabase();
  const store = await openEventStore(sql);
  const lake = lakeOf(sql, store);
  const place = { objects: store.objects, base: `file://${store.dir}/objects` };
  const read = (table: string) => readTable(sql, place, table);
  const rowsOf = async (query: string) =>
    (await store.connection.runAndReadAll(query)).getRowObjectsJson();
  /** The current rows of a table, read from the files that its snapshot names. */
  const scan = (files: readonly ReadFile[]) =>
    files.length === 0
      ? 'NULL'
      : `read_parquet([${textList(files.map(({ path }) => `${store.dir}/objects/${path}`))}], union_by_name = true)`;
  return { sql, store, lake, read, rowsOf, scan };
}
type Lake = Awaited<ReturnType<typeof openLake>>;

const APPS = [newId('app'), newId('app'), newId('app')];

/** Every object that any listed snapshot of the table needs is there; files twice in none. */
function checkSnapshots({ store }: Lake, { snapshots }: ReadTable): void {
  for (const { files } of snapshots) {
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
    for (const { path, bytes } of files) {
      expect(Bun.file(`${store.dir}/objects/${path}`).size).toBe(bytes);
    }
  }
}

const EPOCH_DAY = (ms: number) => Math.floor(ms / 86_400_000);

/** What a manifest says of a file is true of each of its rows, by a plain loop over them. */
async function checkFile({ rowsOf, scan }: Lake, file: ReadFile): Promise<void> {
  const rows = await rowsOf(
    `SELECT app_id, name, person_id, user_id, occurred_at FROM ${scan([file])}`,
  );
  expect(rows).toHaveLength(file.rows);
  const bound = (id: number, end: 'lower' | 'upper') => String(file[end].get(id));
  for (const row of rows) {
    for (const [id, column] of [
      [2, 'app_id'],
      [4, 'name'],
      [9, 'person_id'],
    ] as const) {
      expect(bound(id, 'lower') <= String(row[column])).toBe(true);
      expect(bound(id, 'upper') >= String(row[column])).toBe(true);
    }
    const micros = parseMicros(String(row.occurred_at))!;
    expect(file.lower.get(5)!.readBigInt64LE() <= micros).toBe(true);
    expect(file.upper.get(5)!.readBigInt64LE() >= micros).toBe(true);
    const at = new Date(Number(micros / 1_000n));
    const month = (at.getUTCFullYear() - 1970) * 12 + at.getUTCMonth();
    expect(file.partition).toEqual(
      [
        {},
        { app_id: row.app_id, occurred_at_day: EPOCH_DAY(at.getTime()) },
        { app_id: row.app_id, occurred_at_month: month },
      ][file.specId]!,
    );
  }
  expect(file.nulls.get(11)).toBe(rows.filter((row) => row.user_id === null).length);
}

const all = await openLake();

describe('a published lake', () => {
  test('is what a question would read, through ingest, merges, corrections, erasures and deletions', async () => {
    const { sql, store, lake, read } = all;
    const random = randomFrom(7);
    const rounds = isFullRun ? 400 : 13;
    for (let round = 0; round < rounds; round += 1) {
      const app = APPS[Math.floor(random() * APPS.length)]!;
      await take(store, [app, someEvents(random, 12)], [APPS[0]!, someEvents(random, 5)]);
      if (round % 4 === 1) await maintain(store.compaction, 2, 2);
      if (round % 8 === 7) await merge(store);
      if (round % 6 === 5) {
        const personId = `user-${Math.floor(random() * 20)}`;
        await sql.begin((tx) => eraseFromEvents(tx, { orgId: 'org_1', appId: app }, personId, []));
      }
      if (round % 5 === 2) await finishErasures(sql);
      if (round === rounds - 4) await deleteAppEvents(sql, { orgId: 'org_1', appId: APPS[2]! });
      await lake.publish();
      const table = await read('events');
      expect(
        currentFiles(table)
          .map(({ path }) => path)
          .toSorted(),
      ).toEqual(await livePaths(sql));
      if (round % 6 === 0) checkSnapshots(all, table);
    }
    const table = await read('events');
    checkSnapshots(all, table);
    const files = currentFiles(table);
    expect(new Set(files.map(({ specId }) => specId)).size).toBeGreaterThan(1);
    for (const file of files) await checkFile(all, file);
    expect(await lake.publish()).toEqual([]);
  }, 1_200_000);

  test('gives readers of the documented view the people and rows of the product', async () => {
    const { sql, store, rowsOf, scan, read, lake } = all;
    await sql.begin((tx) => eraseFromEvents(tx, { orgId: 'org_1', appId: APPS[0]! }, 'user-3', []));
    await lake.publish();
    for (const name of ['events', 'people', 'erasures', 'deleted_apps']) {
      const files = currentFiles(await read(name));
      expect(files.length).toBeGreaterThan(0);
      await store.connection.run(`CREATE OR REPLACE TEMP VIEW ${name} AS FROM ${scan(files)}`);
    }
    await store.connection.run(documented('People', 'sql').replace('VIEW', 'TEMP VIEW'));
    const rows = await rowsOf(
      'SELECT app_id, person, name, epoch_us(occurred_at) AS at FROM people_events',
    );
    for (const appId of APPS) {
      const seen = rows
        .filter((row) => row.app_id === appId)
        .map((row) => `${row.person} ${row.name} ${row.at}`);
      const product = await visibleRows(store, appId);
      expect(seen.toSorted()).toEqual(
        product.map((row) => `${row.personId} ${row.name} ${row.occurredAtUs}`).toSorted(),
      );
      if (appId === APPS[2]) expect(seen).toEqual([]);
      else expect(seen.length).toBeGreaterThan(20);
    }
  });

  test('parts the people whom only an undone import joined', async () => {
    const { sql, store, lake, read, rowsOf, scan } = all;
    const of = { orgId: 'org_1', appId: APPS[1]!, importId: newId('imp') };
    const log = await store.openLog();
    const signedIn = event({
      anonymousId: 'device-parted',
      userId: 'user-parted',
      id: 'parted-01',
    });
    await appendImported(sql, log, of, [signedIn]);
    await log.close();
    await take(store, [APPS[1]!, [event({ anonymousId: 'device-parted' })]]);
    const joined = async () => {
      await lake.publish();
      return rowsOf(`SELECT user_id FROM ${scan(currentFiles(await read('people')))}
        WHERE anonymous_id = 'device-parted'`);
    };
    expect(await joined()).toEqual([{ user_id: 'user-parted' }]);
    const options = { dryRun: false, announce: () => undefined, report: () => undefined };
    const { signal } = new AbortController();
    const settle = async () => undefined;
    const undone = await undoImport(store.compaction, of, { ...options, signal }, settle);
    expect(undone).toMatchObject({ events: 1, parted: 1 });
    expect(await joined()).toEqual([]);
  });

  test('keeps replaced files for a day, and then nothing of an erased person', async () => {
    const { sql, store, lake, read } = all;
    await take(store, [APPS[1]!, [event({ anonymousId: 'device-gone', userId: 'user-gone' })]]);
    await lake.publish();
    const before = await read('events');
    await sql.begin((tx) =>
      eraseFromEvents(tx, { orgId: 'org_1', appId: APPS[1]! }, 'user-gone', []),
    );
    await maintain(store.compaction);
    await finishErasures(sql);
    await lake.publish();
    await sql`UPDATE event_files SET retired_at = retired_at - interval '1 hour'`;
    await sql`UPDATE event_leases SET taken_at = taken_at - interval '2 hours'`;
    await sweepRetired(store.compaction);
    await lake.sweep();
    checkSnapshots(all, before);
    checkSnapshots(all, await read('events'));

    // A day and two hours later.
    await sql`UPDATE event_leases SET expires_at = now() - interval '1 minute'`;
    await sql`UPDATE lake_snapshots SET timestamp_ms = timestamp_ms - ${26 * 3_600_000}`;
    await sweepRetired(store.compaction);
    expect(await lake.publish()).toEqual([]);
    await lake.sweep();
    for (const name of ['events', 'people', 'erasures', 'deleted_apps']) {
      const table = await read(name);
      expect(table.snapshots).toHaveLength(1);
      checkSnapshots(all, table);
    }
    const [stored] = await sql`SELECT 1 FROM event_people WHERE user_id = 'user-gone'`;
    expect(stored).toBeUndefined();
    for (const { key } of await store.objects.list('')) {
      if (!key.endsWith('.parquet')) continue;
      const [found] = await all.rowsOf(
        `SELECT count(*) AS n FROM '${store.dir}/objects/${key}' t WHERE t::VARCHAR LIKE '%user-gone%' OR t::VARCHAR LIKE '%device-gone%'`,
      );
      expect([key, Number(found!.n)]).toEqual([key, 0]);
    }
    const [noted] = await sql<{ n: number }[]>`
      SELECT count(*) AS n FROM lake_files WHERE stats LIKE '%user-gone%'`;
    expect(noted!.n).toBe(0);
  });

  test('is not touched while somebody else writes to the catalogue, and begins anew without their row', async () => {
    const { sql, store, lake, read } = all;
    const before = (await read('events')).location;
    await sql`UPDATE iceberg_tables SET metadata_location = 'file:///elsewhere' WHERE table_name = 'events'`;
    await take(store, [APPS[0]!, [event()]]);
    expect(lake.publish()).rejects.toThrow('changed by another writer');
    await lake.publish().catch(() => undefined);
    const [row] = await sql<{ at: string }[]>`
      SELECT metadata_location AS at FROM iceberg_tables WHERE table_name = 'events'`;
    expect(row!.at).toBe('file:///elsewhere');
    await sql`DELETE FROM iceberg_tables WHERE table_name = 'events'`;
    expect(await lake.publish()).toEqual(['events']);
    const after = await read('events');
    expect(after.location).not.toBe(before);
    expect(after.snapshots).toHaveLength(1);
    expect(
      currentFiles(after)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(await livePaths(sql));
  });
});

test('files from before the lake get their statistics from their footers, once', async () => {
  const lakeAndStore = await openLake();
  const { sql, store, lake, read } = lakeAndStore;
  const random = randomFrom(17);
  await take(store, [APPS[0]!, someEvents(random, 20)], [APPS[1]!, someEvents(random, 20)]);
  await maintain(store.compaction);
  await take(store, [APPS[0]!, someEvents(random, 20)]);
  const bounds = () => sql`
    SELECT path, stats::json->'app_id' AS app, stats::json->'occurred_at'->>'max' AS latest
    FROM event_files WHERE state = 'live' ORDER BY path`;
  const written = await bounds();
  const paths = await livePaths(sql);
  expect(paths.length).toBeGreaterThan(1);
  await makeOld(store.compaction, paths.slice(0, 1));
  await sql`UPDATE event_files SET stats = NULL,
    bytes = CASE WHEN path = ${paths[0]!} THEN ${Bun.file(`${store.dir}/objects/${paths[0]}`).size}
      ELSE bytes END`;
  await lake.publish();
  const filled = await bounds();
  expect(filled.map(({ path, latest }) => [path, latest])).toEqual(
    written.map(({ path, latest }) => [path, latest]),
  );
  expect(filled.slice(1)).toEqual(written.slice(1));
  const table = await read('events');
  for (const file of currentFiles(table)) await checkFile(lakeAndStore, file);
  await take(store, [APPS[0]!, someEvents(random, 5)]);
  await lake.publish();
  const noted = store.log.lines.filter(({ message }) => message.startsWith('statistics of older'));
  expect(noted.map(({ fields }) => fields)).toEqual([{ files: paths.length }]);
});

/** A store whose nth write fails, and every later one, as for a process that is gone. */
function failing(objects: ObjectStore, writes: number): ObjectStore {
  let left = writes;
  const spend = () => {
    if (left === 0) throw new Error('gone');
    left -= 1;
  };
  return {
    ...objects,
    putBytes: async (key, bytes) => {
      spend();
      await objects.putBytes(key, bytes);
    },
    adopt: async (path, key) => {
      spend();
      await objects.adopt(path, key);
    },
  };
}

test('a publication that is broken off at any write leaves the tables as they were and no orphan', async () => {
  const { sql, store, lake, read } = await openLake();
  await take(store, [APPS[0]!, [event({ userId: 'user-1' })]], [APPS[1]!, [event()]]);
  await lake.publish();
  let isWhole = false;
  for (let writes = 0; !isWhole; writes += 1) {
    await take(store, [APPS[0]!, [event({ anonymousId: `device-${writes}`, userId: 'user-2' })]]);
    const before = await Promise.all(['events', 'people'].map(read));
    const objects = failing(store.objects, writes);
    isWhole = await publishLake({ ...lake.publisher, objects }).then(
      () => true,
      () => false,
    );
    if (isWhole) expect(writes).toBeGreaterThan(5);
    else expect(await Promise.all(['events', 'people'].map(read))).toEqual(before);
  }
  await lake.sweep();
  await checkNoOrphan(sql, store);
  checkSnapshots({ store } as Lake, await read('events'));
}, 1_200_000);
