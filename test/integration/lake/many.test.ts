import { expect, test } from 'bun:test';
import { openEngine } from '../../../src/event-store/parquet/engine.ts';
import { createCooldowns } from '../../../src/lake/cooldowns.ts';
import { publishLake } from '../../../src/lake/publish.ts';
import type { ObjectStore } from '../../../src/storage/object-store/port.ts';
import { temporaryFolder } from '../../support/events.ts';
import { readTable } from '../../support/lake/read-table.ts';
import { testDatabase } from '../../support/postgres.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';

const { sql } = await testDatabase();
const engine = await openEngine({
  memoryMb: 64,
  threads: 1,
  tempDir: temporaryFolder('lake-many'),
});

/** Objects in memory: what is counted here are publications, not writes to a disk. */
function memoryStore(): ObjectStore & { objects: Map<string, Uint8Array> } {
  const objects = new Map<string, Uint8Array>();
  const none = () => Promise.reject(new Error('This test writes no data files.'));
  return {
    objects,
    scratchPath: (name) => name,
    adopt: none,
    localPath: none,
    putBytes: async (key, bytes) => {
      objects.set(key, bytes);
    },
    getBytes: async (key) => objects.get(key) ?? null,
    remove: async (key) => {
      objects.delete(key);
    },
    list: async () => [],
    isRemote: false,
    trim: async () => 0,
  };
}

const TIMES = { min: '2026-03-01 00:00:00+00', max: '2026-03-01 00:00:01+00' };
const text = (value: string) => ({ bytes: 10, values: 5, nulls: 0, min: value, max: value });
const statsOf = (app: string) =>
  JSON.stringify({
    app_id: text(app),
    name: text('opened'),
    occurred_at: { ...text(''), ...TIMES },
  });

let made = 0;

/** Files that never were, as compactions and merges would commit them. */
async function addFiles(level: number, app: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => `fil_${made + index}`);
  made += count;
  const owner = level === 0 ? { orgId: null, appId: null } : { orgId: 'org_1', appId: app };
  await sql`
    INSERT INTO event_files (file_id, org_id, app_id, level, path, rows, bytes, min_occurred_at,
      max_occurred_at, min_received_at, max_received_at, people_seq, state, stats)
    SELECT id, ${owner.orgId}, ${owner.appId}, ${level}, 'events/' || id, 5, 100, now(), now(), now(), now(), 0,
      'live', ${statsOf(app)}
    FROM unnest(${ids}::text[]) AS t(id)`;
}

const retire = (level: number, count: number) => sql`
  UPDATE event_files SET state = 'retired', retired_at = now() WHERE file_id IN (
    SELECT file_id FROM event_files WHERE state = 'live' AND level = ${level}
    ORDER BY file_id LIMIT ${count})`;

test('thousands of publications leave few manifests and a table metadata of bounded size', async () => {
  const random = randomFrom(11);
  const objects = memoryStore();
  const publisher = {
    ...{ sql, objects, eventsUrl: 's3://bucket/events/' },
    log: { info: () => undefined },
    duck: async () => engine,
    rests: createCooldowns(() => Date.now()),
  };
  const times = isFullRun ? 10_000 : 50;
  let most = 0;
  const tookMs: number[] = [];
  for (let time = 0; time < times; time += 1) {
    await addFiles(0, 'app_0', 1);
    if (time % 8 === 7) await retire(0, 7);
    if (time % 16 === 3) await addFiles(1 + (time % 2), `app_${Math.floor(random() * 50)}`, 2);
    if (time % 64 === 63) await retire(1, 3);
    const beganMs = performance.now();
    await publishLake(publisher);
    tookMs.push(performance.now() - beganMs);
    const [{ count }] = await sql<[{ count: number }]>`
      SELECT count(*) AS count FROM lake_manifests WHERE table_name = 'events'`;
    most = Math.max(most, count);
    // As the sweep would, which is tested where there is a disk.
    if (time % 1_000 === 999) {
      console.log(`${time + 1} publications, ${count} manifests`);
      await sql`UPDATE lake_snapshots SET timestamp_ms = timestamp_ms - 100000000`;
    }
  }
  expect(most).toBeLessThan(50);
  const table = await readTable(sql, { objects, base: 's3://bucket/events' }, 'events');
  if (isFullRun) {
    const median = (some: number[]) => Math.round(some.toSorted((a, b) => a - b)[50] ?? 0);
    const hundreds = [0, 25, 50, 75, 99].map((each) =>
      median(tookMs.slice(each * 100, each * 100 + 100)),
    );
    const bytes = JSON.stringify(table.metadata).length;
    console.log(
      `${most} manifests at most; ${bytes} bytes of metadata, ${table.snapshots.length} snapshots; median ms of the first hundred publications, at each quarter, and of the last hundred: ${hundreds}`,
    );
  }
  expect(table.snapshots.length).toBeLessThanOrEqual(60 + 25);
  expect(table.metadata['metadata-log']).toHaveLength(Math.min(times - 1, 60));
  const live = await sql<{ path: string }[]>`SELECT path FROM event_files WHERE state = 'live'`;
  const current = table.snapshots.find(({ id }) => id === table.metadata['current-snapshot-id']);
  expect(current!.files.map(({ path }) => path).toSorted()).toEqual(
    live.map(({ path }) => path).toSorted(),
  );
  // A day later, with something new as ever: what is over is let go of all the same.
  await sql`UPDATE lake_snapshots SET timestamp_ms = timestamp_ms - 100000000`;
  await addFiles(0, 'app_0', 1);
  await publishLake(publisher);
  const [{ kept }] = await sql<[{ kept: number }]>`
    SELECT count(*) AS kept FROM lake_snapshots WHERE table_name = 'events'`;
  expect(kept).toBe(2);
  const [{ leases }] = await sql<[{ leases: number }]>`
    SELECT count(*) AS leases FROM event_leases WHERE org_id = 'lake'`;
  expect(leases).toBeLessThanOrEqual(2);
}, 3_600_000);

test('a minute without change, and one with, hold however many files of exposures there are', async () => {
  const count = isFullRun ? 100_000 : 500;
  const { sql: other } = await testDatabase();
  const objects = memoryStore();
  const publisher = {
    ...{ sql: other, objects, eventsUrl: 's3://bucket/events/' },
    log: { info: () => undefined },
    duck: async () => engine,
    rests: createCooldowns(() => Date.now()),
  };
  await other`
    INSERT INTO event_files (file_id, org_id, app_id, level, path, rows, bytes, min_occurred_at,
      max_occurred_at, min_received_at, max_received_at, people_seq, state, stats)
    SELECT 'fil_' || n, 'org_1', 'app_1', 1, 'events/' || n, 5, 100, now(), now(), now(), now(), 0,
      'live', ${statsOf('app_1')} FROM generate_series(1, ${count}::integer) n`;
  await other`
    INSERT INTO lake_exposures (event_path, path, spec_id, partition, rows, bytes, stats)
    SELECT 'events/' || n, 'lake/exposures/data/' || n, 0, '[]', 5, 100, ${statsOf('app_1')}
    FROM generate_series(1, ${count}::integer) n`;
  await other.unsafe('VACUUM ANALYZE');
  const timed = async () => {
    const beganMs = performance.now();
    const changed = await publishLake(publisher);
    return { changed, tookMs: Math.round(performance.now() - beganMs) };
  };
  const first = await timed();
  expect(first.changed).toContain('exposures');
  const quiet = await timed();
  expect(quiet.changed).toEqual([]);
  await other`UPDATE event_files SET state = 'retired', retired_at = now() WHERE path = 'events/7'`;
  const busy = await timed();
  expect(busy.changed).toEqual(['events', 'exposures']);
  if (isFullRun) {
    console.log(
      `ms of the first, a quiet and a busy minute: ${[first, quiet, busy].map(({ tookMs }) => tookMs)}`,
    );
  }
  const table = await readTable(other, { objects, base: 's3://bucket/events' }, 'exposures');
  expect(table.snapshots.map(({ files }) => files.length)).toEqual([count, count - 1]);
  expect(table.snapshots.at(-1)!.summary['total-files-size']).toBe(String(100 * (count - 1)));
  // The one that went can be read with the snapshot before, and that is all that is noted of it.
  const noted = await other<{ files: string[] }[]>`
    SELECT files FROM lake_snapshots WHERE table_name = 'exposures' ORDER BY sequence_number`;
  expect(noted.map(({ files }) => files)).toEqual([['lake/exposures/data/7'], []]);
}, 1_200_000);
