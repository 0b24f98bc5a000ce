import { describe, expect, test } from 'bun:test';
import {
  liveFilesOfLevel,
  liveRuns,
  readSeq,
  retireFiles,
} from '../../../src/event-store/catalogue/queries.ts';
import { insertLease } from '../../../src/event-store/catalogue/sources-queries.ts';
import { sweepOrphans, sweepRetired } from '../../../src/event-store/catalogue/sweep.ts';
import { selectOrphans } from '../../../src/modules/system/queries.ts';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import { maintainRuns } from '../../../src/event-store/compaction/maintain-runs.ts';
import { EVENT_FILE_FORMAT } from '../../../src/event-store/event/columns.ts';
import { readCorrections } from '../../../src/event-store/maintenance/queries.ts';
import { coalesceOnce } from '../../../src/event-store/maintenance/rewrite.ts';
import { must } from '../../../src/shared/assert.ts';
import { newId } from '../../../src/shared/ids.ts';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.ts';
import { ALL_TIME, append, openEventStore, visibleRows } from '../../support/event-store.ts';
import { event } from '../../support/events.ts';
import { makeOld } from '../../support/old-event-files.ts';
import { testDatabase } from '../../support/postgres.ts';

const { sql } = await testDatabase();
const store = await openEventStore(sql);

type Events = Parameters<typeof append>[2];

/** One file of many apps for each call. */
async function file(...batches: [string, Events][]): Promise<void> {
  const log = await store.openLog();
  for (const [appId, events] of batches) await append(log, appId, events);
  await log.close();
  await compactOnce(store.compaction);
}

const eventFiles = (appId: string) => sql<{ path: string; format: number }[]>`
  SELECT f.path, f.format FROM event_file_apps a JOIN event_files f USING (file_id)
  WHERE a.app_id = ${appId} AND f.state = 'live' ORDER BY f.created_at, f.file_id`;

/** Makes what was retired look as if that was long ago. */
const ageRetired = () => sql`
  UPDATE event_files SET retired_at = now() - interval '1 hour' WHERE state = 'retired'`;

describe('putting files together', () => {
  test('keeps every row and leaves few files, however many commits there were', async () => {
    const appId = newId('app');
    for (let i = 0; i < 40; i += 1) {
      await file([appId, [event({ id: `event-${1000 + i}`, anonymousId: `person-${i % 7}` })]]);
      await coalesceOnce(store.compaction);
    }
    const rows = await visibleRows(store, appId);
    expect(rows.map((row) => row.eventId).toSorted()).toEqual(
      Array.from({ length: 40 }, (_, i) => `event-${1000 + i}`),
    );
    expect((await liveFilesOfLevel(sql, 0)).length).toBeLessThan(16);
  });

  test('settles who did it for good, so that nothing is left to join', async () => {
    const appId = newId('app');
    await file([appId, [event({ anonymousId: 'device-1' })]]);
    await file([appId, [event({ anonymousId: 'device-1', userId: 'ann' })]]);
    const window = { orgId: 'org_1', appId, ...ALL_TIME };
    expect((await store.hot.snapshot(window)).lateAliases).toHaveLength(1);
    for (let i = 0; i < 8; i += 1) await file([newId('app'), [event()]]);
    while ((await coalesceOnce(store.compaction)) > 0);
    expect((await store.hot.snapshot(window)).lateAliases).toEqual([]);
    expect((await visibleRows(store, appId)).map((row) => row.personId)).toEqual(['ann', 'ann']);
  });

  test('brings files of an earlier release up to date', async () => {
    const appId = newId('app');
    await file([appId, [event({ id: 'before-1', anonymousId: 'device-1' })]]);
    const [written] = await eventFiles(appId);
    await makeOld(store.compaction, [written!.path]);
    await file([appId, [event({ id: 'after-1', anonymousId: 'device-1' })]]);
    expect((await eventFiles(appId)).map((one) => one.format)).toEqual([1, EVENT_FILE_FORMAT]);
    for (let i = 0; i < 16; i += 1) await file([newId('app'), [event()]]);
    while ((await coalesceOnce(store.compaction)) > 0);
    const files = await eventFiles(appId);
    expect(files.map((one) => one.format)).toEqual([EVENT_FILE_FORMAT]);
    const reader = await store.connection.runAndReadAll(
      `SELECT DISTINCT person_key = md5(person_id)::UUID, is_anonymous
       FROM '${await store.objects.localPath(files[0]!.path)}' WHERE app_id = '${appId}'`,
    );
    expect(reader.getRows()).toEqual([[true, true]]);
    const rows = await visibleRows(store, appId);
    expect(rows.map((row) => row.eventId).toSorted()).toEqual(['after-1', 'before-1']);
  });

  test('keeps the environment of every event, and counts those of development', async () => {
    const appId = newId('app');
    await file([appId, [event({ id: 'before-2' })]]);
    const [written] = await eventFiles(appId);
    await makeOld(store.compaction, [written!.path]);
    const log = await store.openLog();
    const environment = 'development';
    await append(log, appId, [event({ id: 'after-2' }), event({ id: 'after-3' })], Date.now(), {
      environment,
    });
    await log.close();
    await compactOnce(store.compaction);
    for (let i = 0; i < 16; i += 1) await file([newId('app'), [event()]]);
    while ((await coalesceOnce(store.compaction)) > 0);
    const rows = await visibleRows(store, appId);
    expect(rows.map((row) => [row.eventId, row.environment]).toSorted()).toEqual([
      ['after-2', environment],
      ['after-3', environment],
      ['before-2', 'production'],
    ]);
    const ranges = await sql<{ development_rows: number }[]>`
      SELECT development_rows FROM event_file_apps WHERE app_id = ${appId}`;
    expect(ranges.map((one) => one.development_rows)).toEqual([2]);
  });

  test('leaves out people and apps that are to be forgotten', async () => {
    const [kept, deleted] = [newId('app'), newId('app')];
    await file(
      [
        kept,
        [event({ anonymousId: 'erase-me' }), event({ anonymousId: 'device-2', userId: 'u2' })],
      ],
      [kept, [event({ anonymousId: 'device-2' }), event({ anonymousId: 'stays-here' })]],
      [deleted, [event()]],
    );
    await sql`INSERT INTO event_erasures (app_id, org_id, subject_hash, subject, seq) VALUES
      (${kept}, 'org_1', 'a', 'erase-me', 0), (${kept}, 'org_1', 'b', 'u2', 0)`;
    await sql`INSERT INTO event_deleted_apps (app_id, org_id) VALUES (${deleted}, 'org_1')`;
    await sql`DELETE FROM event_file_apps WHERE app_id = ${deleted}`;
    for (let i = 0; i < 16; i += 1) await file([newId('app'), [event()]]);
    while ((await coalesceOnce(store.compaction)) > 0);
    const live = await liveFilesOfLevel(sql, 0);
    const paths = await Promise.all(live.map((one) => store.objects.localPath(one.path)));
    const reader = await store.connection.runAndReadAll(
      `SELECT app_id, anonymous_id FROM read_parquet([${paths.map((p) => `'${p}'`).join(',')}])
       WHERE app_id IN ('${kept}', '${deleted}')`,
    );
    expect(reader.getRows()).toEqual([[kept, 'stays-here']]);
  });
});

test('a job reads the deletions of apps that its files may still hold, however many there were', async () => {
  const [own, gone] = [newId('app'), newId('app')];
  await sql`
    INSERT INTO event_deleted_apps (app_id, org_id, deleted_at)
    SELECT 'app_long_ago_' || n, 'org_1', now() - interval '1 day' FROM generate_series(1, 5000) n`;
  const before = await readSeq(sql);
  await file([own, [event()]], [gone, [event()]]);
  const [{ fileId } = { fileId: '' }] = await sql<{ fileId: string }[]>`
    SELECT file_id AS "fileId" FROM event_file_apps WHERE app_id = ${own}`;
  const read = async () => {
    const { deletedApps } = await readCorrections(sql, [fileId], before);
    return deletedApps.filter((appId) => appId.startsWith('app_long') || appId === gone);
  };
  expect(await read()).toEqual([]);
  await sql`INSERT INTO event_deleted_apps (app_id, org_id) VALUES (${gone}, 'org_1')`;
  await sql`DELETE FROM event_file_apps WHERE app_id = ${gone}`;
  expect(await read()).toEqual([gone]);
  // A file that was put back into the catalogue names what it holds.
  await sql`UPDATE event_files SET created_at = now() + interval '1 day' WHERE file_id = ${fileId}`;
  await sql`INSERT INTO event_deleted_apps (app_id, org_id) VALUES (${own}, 'org_1')`;
  const { deletedApps } = await readCorrections(sql, [fileId], before);
  expect(deletedApps).toEqual([own]);
});

describe('identities', () => {
  test('are known again after their runs were merged', async () => {
    const appId = newId('app');
    for (let i = 0; i < 20; i += 1) await file([appId, [event({ id: `repeated-${i}` })]]);
    expect(await maintainRuns(store.compaction)).toBe(true);
    while (await maintainRuns(store.compaction));
    expect(await liveRuns(sql)).toHaveLength(1);
    for (let i = 0; i < 20; i += 1) await file([appId, [event({ id: `repeated-${i}` })]]);
    expect(await visibleRows(store, appId)).toHaveLength(20);
  });

  test('are found by the time that was sent, however late the event comes again', async () => {
    const appId = newId('app');
    const sent = [1, 30, 60, 400].map((hours) =>
      event({ id: `late-${hours}`, ts: new Date(Date.now() - hours * HOUR_MS).toISOString() }),
    );
    await file([appId, sent]);
    const days = new Date(Date.now() + 5 * DAY_MS);
    const later = { ...store.compaction, clock: () => days };
    const log = await store.openLog();
    await append(log, appId, sent, days.getTime());
    await append(log, appId, [event({ ...sent[0], anonymousId: 'another' })], days.getTime());
    await log.close();
    expect(await visibleRows(store, appId)).toHaveLength(5);
    await compactOnce(later);
    while (await maintainRuns(later));
    expect(await visibleRows(store, appId)).toHaveLength(5);
  });

  test('are forgotten after eight days', async () => {
    const later = { ...store.compaction, clock: () => new Date(Date.now() + 14 * DAY_MS) };
    await maintainRuns(later);
    expect(await liveRuns(sql)).toEqual([]);
  });
});

describe('retired files', () => {
  test('stay for the grace time, and as long as a lease holds them', async () => {
    const appId = newId('app');
    for (let i = 0; i < 8; i += 1) await file([appId, [event()]]);
    const window = { orgId: 'org_1', appId, ...ALL_TIME };
    const leaseId = await insertLease(sql, 'org_1', 60);
    const { files } = await store.hot.snapshot(window);
    while ((await coalesceOnce(store.compaction)) > 0);
    await sweepRetired(store.compaction);
    const there = () => Promise.all(files.map(({ path }) => Bun.file(path).exists()));
    expect(await there()).not.toContain(false);
    await sql`UPDATE event_leases SET taken_at = now() - interval '2 hours'`;
    await ageRetired();
    await sweepRetired(store.compaction);
    expect(await there()).not.toContain(false);
    await sql`DELETE FROM event_leases WHERE lease_id = ${leaseId}`;
    expect(await sweepRetired(store.compaction)).toBeGreaterThan(0);
    expect(await there()).toContain(false);
  });

  test('stay for a lease that was taken after their transaction began and before it ended', async () => {
    const appId = newId('app');
    await file([appId, [event()]]);
    const [only, ...others] = await sql<{ fileId: string; path: string }[]>`
      SELECT f.file_id AS "fileId", f.path FROM event_file_apps a JOIN event_files f USING (file_id)
      WHERE a.app_id = ${appId}`;
    expect(others).toEqual([]);
    const { fileId, path } = must(only, 'a file');
    const begun = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<void>();
    const retired = sql.begin(async (tx) => {
      await tx`SELECT 'the transaction begins here'`;
      begun.resolve();
      await taken.promise;
      await retireFiles(tx, [fileId]);
    });
    await begun.promise;
    const leaseId = await insertLease(sql, 'org_1', 3_600);
    taken.resolve();
    await retired;
    const there = async () =>
      (await store.objects.list('events/level0')).some(({ key }) => key === path);
    await sql`UPDATE event_files SET retired_at = retired_at - interval '15 minutes'`;
    await sql`UPDATE event_leases SET taken_at = taken_at - interval '15 minutes'`;
    await sweepRetired(store.compaction);
    expect(await there()).toBe(true);
    await sql`DELETE FROM event_leases WHERE lease_id = ${leaseId}`;
    await sweepRetired(store.compaction);
    expect(await there()).toBe(false);
  });

  test('go, and so do objects that a crash left behind, after thirty days', async () => {
    const orphans = ['level0/2026-01-01/left.parquet', 'keys/2026-01-01/left.keys'];
    for (const name of orphans) await store.objects.putBytes(`events/${name}`, Buffer.from('x'));
    const counted = async (days: number) => {
      const removed = await sweepOrphans(store.compaction, Date.now() + days * DAY_MS);
      const { countedAt, ...left } = must(await selectOrphans(sql), 'a count');
      return { removed, ...left };
    };
    // Seconds old: may be about to be committed.
    expect(await counted(0)).toEqual({ removed: 0, files: 0, bytes: 0 });
    expect(await counted(29)).toEqual({ removed: 0, files: 1, bytes: 1 });
    expect(await counted(31)).toEqual({ removed: 2, files: 0, bytes: 0 });
    const known = await store.objects.list('events/level0');
    expect(known.length).toBeGreaterThan(0);
  });
});
