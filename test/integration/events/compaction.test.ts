import { describe, expect, test } from 'bun:test';
import { appendFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { liveFilesOfLevel } from '../../../src/event-store/catalogue/queries.ts';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import { compactAll } from '../../../src/event-store/compaction/loop.ts';
import { listSegments } from '../../../src/event-store/log/segments.ts';
import { rewriteFiles } from '../../../src/event-store/maintenance/rewrite.ts';
import { newId } from '../../../src/shared/ids.ts';
import { append, openEventStore, readRows, visibleRows } from '../../support/event-store.ts';
import { event } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';

const { sql } = await testDatabase();
const store = await openEventStore(sql);

/** Takes batches under a log of their own, closed (and so sealed) at the end. */
async function take(batches: [string, Parameters<typeof append>[2]][]): Promise<void> {
  const log = await store.openLog();
  for (const [appId, events] of batches) await append(log, appId, events);
  await log.close();
}

describe('compaction', () => {
  test('writes one file for all apps, sorted, with the rows of each', async () => {
    const apps = [newId('app'), newId('app')].toSorted();
    await take(
      apps.flatMap((appId) => [
        [appId, [event({ anonymousId: 'person-b' }), event({ anonymousId: 'person-a' })]],
        [appId, [event({ anonymousId: 'person-a', name: 'later' })]],
      ]),
    );
    expect(await compactAll(store.compaction)).toBe(6);
    const ranges = await sql`
      SELECT f.path, f.level, f.rows AS total, a.app_id, a.first_row, a.rows
      FROM event_file_apps a JOIN event_files f USING (file_id)
      WHERE a.app_id = ANY(${apps}) ORDER BY a.first_row`;
    expect(ranges.map((range) => [range.app_id, range.first_row, range.rows])).toEqual([
      [apps[0], 0, 3],
      [apps[1], 3, 3],
    ]);
    const path = await store.objects.localPath(ranges[0]!.path);
    const rows = await readRows(store, path, apps[1]!);
    expect(rows.map((row) => [row.anonymousId, row.name])).toEqual([
      ['person-a', 'app_opened'],
      ['person-a', 'later'],
      ['person-b', 'app_opened'],
    ]);
  });

  test('leaves no object behind a failed write or a transaction that PostgreSQL refuses', async () => {
    const appId = newId('app');
    const identified = event({ id: 'event-1', ts: new Date().toISOString() });
    await take([[appId, [identified]]]);
    const stored = async () => (await store.objects.list('events/')).map(({ key }) => key);
    const before = await stored();
    const refused = async (table: string, work: () => Promise<unknown>) => {
      await sql.unsafe(`ALTER TABLE ${table} ADD CONSTRAINT refused CHECK (false) NOT VALID`);
      const outcome = await work().catch((thrown: unknown) => String(thrown));
      await sql.unsafe(`ALTER TABLE ${table} DROP CONSTRAINT refused`);
      expect(outcome).toContain('violates check constraint');
    };
    const { objects } = store;
    const adopt: typeof objects.adopt = async (path, key) => {
      if (key.endsWith('.keys')) throw new Error('The bucket is away.');
      return objects.adopt(path, key);
    };
    const failing = { ...store.compaction, objects: { ...objects, adopt } };
    await expect(compactOnce(failing)).rejects.toThrow('away');
    expect(await stored()).toEqual(before);
    await refused('event_files', () => compactOnce(store.compaction));
    expect(await stored()).toEqual(before);
    await compactAll(store.compaction);
    const compacted = await stored();
    const files = await liveFilesOfLevel(sql, 0);
    await refused('event_files', () =>
      rewriteFiles(store.compaction, files, async (from) => [{ from, level: 0, day: null }]),
    );
    expect(await stored()).toEqual(compacted);
  });

  test('gives every column its field id', async () => {
    const appId = newId('app');
    await take([[appId, [event()]]]);
    await compactAll(store.compaction);
    const [file] = await sql`
      SELECT path FROM event_file_apps JOIN event_files USING (file_id)
      WHERE event_file_apps.app_id = ${appId}`;
    const path = await store.objects.localPath(file!.path);
    const reader = await store.connection.runAndReadAll(
      `SELECT name, field_id, type FROM parquet_schema('${path}') WHERE type IS NOT NULL`,
    );
    const columns = reader.getRowObjects();
    expect(columns.map((column) => Number(column.field_id))).toEqual(columns.map((_, i) => i + 1));
    expect(columns.slice(0, 5).map((column) => column.name)).toEqual([
      'org_id',
      'app_id',
      'event_key',
      'name',
      'occurred_at',
    ]);
  });

  test('removes the segments it has turned into files', async () => {
    await take([[newId('app'), [event()]]]);
    await compactAll(store.compaction);
    expect(await listSegments(store.logDir)).toEqual([]);
    expect(await readdir(store.logDir)).toEqual(['last-commit.json']);
  });

  test('repeated after a crash between commit and removal changes nothing', async () => {
    const appId = newId('app');
    await take([[appId, [event(), event()]]]);
    const [segment] = await listSegments(store.logDir);
    const bytes = await Bun.file(segment!.path).bytes();
    await compactAll(store.compaction);
    await writeFile(segment!.path, bytes);
    expect(await compactOnce(store.compaction)).toMatchObject({ segments: 0 });
    expect(await listSegments(store.logDir)).toEqual([]);
    expect(await visibleRows(store, appId)).toHaveLength(2);
  });

  test('keeps the good part of a damaged segment, sets the rest aside and says so', async () => {
    const appId = newId('app');
    await take([[appId, [event(), event()]]]);
    const [segment] = await listSegments(store.logDir);
    await appendFile(segment!.path, Buffer.from('half a record, cut off by a crash'));
    await compactAll(store.compaction);
    expect(await visibleRows(store, appId)).toHaveLength(2);
    const left = (await readdir(store.logDir)).toSorted();
    expect(left).toEqual(['last-commit.json', expect.stringContaining('.corrupt')]);
    expect(await Bun.file(join(store.logDir, left[1]!)).text()).toBe(
      'half a record, cut off by a crash',
    );
    expect(store.log.lines.at(-1)).toMatchObject({ level: 'error' });
  });

  test('counts what arrived exactly, resent events apart', async () => {
    const appId = newId('app');
    const resent = event({ id: 'the-same-id' });
    await take([
      [appId, [resent, event({ ts: '2020-01-01T00:00:00Z' })]],
      [appId, [resent, event()]],
    ]);
    await compactAll(store.compaction);
    const [counts] = await sql`
      SELECT sum(accepted)::int AS accepted, sum(duplicates)::int AS duplicates,
        sum(too_old)::int AS too_old, sum(without_ts)::int AS without_ts
      FROM event_ingestion_hours WHERE app_id = ${appId}`;
    expect(counts).toEqual({ accepted: 4, duplicates: 1, too_old: 1, without_ts: 3 });
  });

  test('by two compactors at once stores every event once', async () => {
    const appId = newId('app');
    const other = await openEventStore(sql, store.objects);
    const rival = { ...other.compaction, logDir: store.logDir };
    for (let round = 0; round < 5; round += 1) {
      await take(Array.from({ length: 20 }, () => [appId, [event()]]));
      await Promise.all([compactOnce(store.compaction), compactOnce(rival)]);
    }
    expect(await visibleRows(store, appId)).toHaveLength(100);
    const { n } = (
      await sql`SELECT sum(rows)::int AS n FROM event_file_apps WHERE app_id = ${appId}`
    )[0]!;
    expect(n).toBe(100);
  });

  test('drops what comes in for a deleted app', async () => {
    const appId = newId('app');
    await sql`INSERT INTO event_deleted_apps (app_id, org_id) VALUES (${appId}, 'org_1')`;
    await take([[appId, [event()]]]);
    await compactAll(store.compaction);
    expect(await visibleRows(store, appId)).toEqual([]);
  });
});

describe('who did it', () => {
  test('is the user also for what was done before signing up, in files written earlier', async () => {
    const appId = newId('app');
    await take([[appId, [event({ anonymousId: 'device-1' })]]]);
    await compactAll(store.compaction);
    expect((await visibleRows(store, appId))[0]?.personId).toBe('device-1');
    await take([[appId, [event({ anonymousId: 'device-1', userId: 'ann' })]]]);
    expect((await visibleRows(store, appId)).map((row) => row.personId)).toEqual(['ann', 'ann']);
    await compactAll(store.compaction);
    expect((await visibleRows(store, appId)).map((row) => row.personId)).toEqual(['ann', 'ann']);
  });

  test('never changes for an anonymous id once it is mapped', async () => {
    const appId = newId('app');
    const shared = (fields: object) => event({ anonymousId: 'device-1', ...fields });
    await take([
      [appId, [shared({ userId: 'ann' })]],
      [appId, [shared({ userId: 'bob' }), shared({})]],
    ]);
    await compactAll(store.compaction);
    await take([[appId, [shared({ userId: 'carl' }), shared({})]]]);
    const before = await visibleRows(store, appId);
    await compactAll(store.compaction);
    for (const rows of [before, await visibleRows(store, appId)]) {
      expect(rows.map((row) => row.personId).toSorted()).toEqual([
        'ann',
        'ann',
        'ann',
        'bob',
        'carl',
      ]);
    }
  });
});
