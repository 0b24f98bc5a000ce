import { beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  insertFile,
  liveFilesOfApp,
  liveFilesOfLevel,
} from '../../../src/event-store/catalogue/queries.ts';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import type { StoredEvent } from '../../../src/event-store/event/stored-batch.ts';
import { checkOwnersOnce } from '../../../src/event-store/maintenance/check-owners.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import { splitFiles } from '../../../src/event-store/maintenance/split.ts';
import { eventFilesSql } from '../../../src/event-store/parquet/read-files.ts';
import { writeEventFile } from '../../../src/event-store/parquet/write-file.ts';
import {
  deleteAppEvents,
  eraseFromEvents,
} from '../../../src/event-store/people/erasure-queries.ts';
import { at, must } from '../../../src/shared/assert.ts';
import { newId } from '../../../src/shared/ids.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import type { EventFileJob } from '../../../src/temporal/contracts/events.ts';
import { append, openEventStore, visibleRows } from '../../support/event-store.ts';
import { event, quietLog } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { ROOT } from '../../support/sources.ts';

const { sql } = await testDatabase();
const store = await openEventStore(sql);
const { compaction } = store;
/** Two days on, so that what is written in these tests lies in closed days. */
const later = { ...compaction, clock: () => new Date(Date.now() + 2 * DAY_MS) };

beforeEach(async () => {
  await sql`TRUNCATE event_files, event_file_apps, event_erasures, event_people CASCADE`;
});

async function take(...batches: [string, StoredEvent[]][]): Promise<void> {
  const log = await store.openLog();
  for (const [appId, events] of batches) await append(log, appId, events);
  await log.close();
  await compactOnce(compaction);
}

const day = (n: number) => new Date(Date.now() - n * DAY_MS).toISOString();

/** One file of two apps, and the row of the catalogue made what a forged merge left: the first app's. */
async function mixedFile() {
  const [one, other] = [newId('app'), newId('app')];
  await take([one, [event({ ts: day(40) })]], [other, [event({ ts: day(40) }), event()]]);
  const [{ fileId } = at([], 0)] = await liveFilesOfLevel(sql, 0);
  await sql`
    UPDATE event_files SET level = 2, org_id = 'org_1', app_id = ${one},
      path = path WHERE file_id = ${fileId}`;
  return { one, other, fileId };
}

async function maintain(): Promise<void> {
  for (let jobs = await planJobs(later); jobs.length > 0; jobs = await planJobs(later)) {
    for (const job of jobs) await runJob(later, job);
  }
}

const countsOf = async (...appIds: string[]) =>
  Promise.all(appIds.map(async (appId) => (await visibleRows(store, appId)).length));

describe('a file above level 0 has the rows of one app', () => {
  test('by the writer', async () => {
    await take([newId('app'), [event()]], [newId('app'), [event()]]);
    const [file] = await liveFilesOfLevel(sql, 0);
    const path = await store.objects.localPath(file!.path);
    const from = eventFilesSql([{ path, format: file!.format }]);
    const written = writeEventFile(compaction, { from, level: 2, day: null });
    await expect(written).rejects.toThrow('2 rows where there is always one');
    const renamed = `(SELECT * REPLACE ('app_1' AS app_id,
      CASE WHEN app_id = (SELECT min(app_id) FROM ${from}) THEN 'org_2' ELSE org_id END AS org_id)
      FROM ${from})`;
    const ofTwo = writeEventFile(compaction, { from: renamed, level: 0, day: null });
    await expect(ofTwo).rejects.toThrow('several organizations');
  });

  test('by PostgreSQL', async () => {
    const appId = newId('app');
    await take([appId, [event()]]);
    const [file] = await liveFilesOfLevel(sql, 0);
    const path = await store.objects.localPath(file!.path);
    const from = eventFilesSql([{ path, format: file!.format }]);
    const made = await writeEventFile(compaction, { from, level: 1, day: null });
    const ofOne = must(made, 'the file has rows');
    const range = at(ofOne.apps, 0);
    const insert = (apps: typeof ofOne.apps, more: Partial<typeof ofOne> = {}) =>
      sql.begin((tx) => insertFile(tx, { ...ofOne, ...more, fileId: newId('fil'), apps }, 1));
    const refused = { constraint_name: 'event_file_apps_one_app' };
    await expect(insert([range, { ...range, appId: 'app_2' }])).rejects.toMatchObject(refused);
    await expect(insert([{ ...range, appId: 'app_2' }])).rejects.toMatchObject(refused);
    await expect(insert([{ ...range, orgId: 'org_2' }])).rejects.toMatchObject(refused);
    await expect(insert([range], { appId: null })).rejects.toMatchObject({
      constraint_name: 'event_files_owner',
    });
    await insert([range]);
  });
});

describe('a job that the catalogue does not ask for', () => {
  const run = (kind: EventFileJob['kind'], ...fileIds: string[]) =>
    runJob(later, { kind, fileIds });
  const live = () => sql`SELECT file_id, level, people_seq FROM event_files WHERE state = 'live'
    ORDER BY file_id`;

  async function closedFiles(appId: string, days: number[]) {
    for (const n of days) {
      await take([appId, [event({ ts: day(n) })]]);
      await splitFiles(later, await liveFilesOfLevel(sql, 0));
    }
    return (await liveFilesOfApp(sql, appId)).map(({ fileId }) => fileId);
  }

  test('is refused for files of several apps, and for those of another level', async () => {
    const [one, other] = [newId('app'), newId('app')];
    const [mine] = await closedFiles(one, [400]);
    const [theirs] = await closedFiles(other, [400]);
    await take([one, [event()]], [other, [event()]]);
    const [shared] = await liveFilesOfLevel(sql, 0);
    const before = await live();
    const conflict = { code: 'conflict' };
    await expect(run('merge', mine!, theirs!)).rejects.toMatchObject(conflict);
    await expect(run('merge', mine!, shared!.fileId)).rejects.toMatchObject(conflict);
    await expect(run('merge', shared!.fileId)).rejects.toMatchObject(conflict);
    await expect(run('split', mine!)).rejects.toMatchObject(conflict);
    await expect(run('renew', shared!.fileId)).rejects.toMatchObject(conflict);
    await expect(run('expire', mine!)).rejects.toMatchObject(conflict);
    expect(await live()).toEqual(before);
  });

  test('is over without effect where the plan would not make it now', async () => {
    const appId = newId('app');
    const fileIds = await closedFiles(appId, [100, 140]);
    await take([appId, [event()]]);
    const [shared] = await liveFilesOfLevel(sql, 0);
    const before = await live();
    // Of two months, of one file, of a day that is open, and neither old nor bare.
    await run('merge', ...fileIds);
    await run('merge', fileIds[0]!);
    await runJob(compaction, { kind: 'split', fileIds: [shared!.fileId] });
    await run('renew', fileIds[0]!);
    await run('correct', fileIds[0]!);
    expect(await live()).toEqual(before);
  });
});

describe('a file that the catalogue gives one app, with rows of two', () => {
  test('stays for the other app when the first one is deleted', async () => {
    const { one, other, fileId } = await mixedFile();
    expect(await countsOf(one, other)).toEqual([1, 2]);
    await deleteAppEvents(sql, { orgId: 'org_1', appId: one });
    expect(await countsOf(one, other)).toEqual([0, 2]);
    await deleteAppEvents(sql, { orgId: 'org_1', appId: other });
    const [file] = await sql`SELECT state FROM event_files WHERE file_id = ${fileId}`;
    expect(file?.state).toBe('retired');
  });

  test('is rewritten, never retired whole, when the retention of the first one is over', async () => {
    const { one, other, fileId } = await mixedFile();
    await sql`INSERT INTO apps (app_id, org_id, slug, display_name, region, status, source, created_at)
      VALUES (${one}, 'org_1', ${one.replaceAll('_', '-')}, 'App', 'us-east-1', 'active', 'built_here',
        now())`;
    await sql`INSERT INTO app_datasets (app_id, org_id, event_retention_days)
      VALUES (${one}, 'org_1', 10)`;
    const expired = runJob(later, { kind: 'expire', fileIds: [fileId] });
    await expect(expired).rejects.toMatchObject({ code: 'conflict' });
    await maintain();
    expect(await countsOf(one, other)).toEqual([0, 2]);
    for (const file of await liveFilesOfApp(sql, one)) expect(file.fileId).not.toBe(fileId);
  });

  test('is rewritten for what it is when somebody is erased', async () => {
    const { one, other, fileId } = await mixedFile();
    await sql.begin((tx) => eraseFromEvents(tx, { orgId: 'org_1', appId: one }, 'anon-0001', []));
    await maintain();
    expect(await countsOf(one, other)).toEqual([0, 2]);
    const [left] =
      await sql`SELECT 1 FROM event_files WHERE file_id = ${fileId} AND state = 'live'`;
    expect(left).toBeUndefined();
  });

  test('is found at the start, made a file of many apps, told of, and split', async () => {
    const { one, other, fileId } = await mixedFile();
    const path = `events/level2/2026-01-01/${fileId}.parquet`;
    const [{ path: written } = at([], 0)] = await liveFilesOfApp(sql, one);
    await store.objects.adopt(await store.objects.localPath(written), path);
    await sql`UPDATE event_files SET path = ${path} WHERE file_id = ${fileId}`;
    const log = quietLog();
    expect(await checkOwnersOnce({ sql, log })).toEqual([fileId]);
    expect(log.lines).toMatchObject([{ level: 'error', fields: { files: 1, fileIds: [fileId] } }]);
    expect(await liveFilesOfApp(sql, one)).toEqual([]);
    expect(await countsOf(one, other)).toEqual([1, 2]);
    await maintain();
    expect(await countsOf(one, other)).toEqual([1, 2]);
    expect(await liveFilesOfLevel(sql, 0)).toEqual([]);
    expect(await checkOwnersOnce({ sql, log })).toEqual([]);
    expect(log.lines).toHaveLength(1);
  });

  test('is made one of many apps by the migration that brings the rule', async () => {
    const { fileId } = await mixedFile();
    const own = newId('app');
    await take([own, [event({ ts: day(400) })]]);
    await splitFiles(
      later,
      (await liveFilesOfLevel(sql, 0)).filter((file) => file.level === 0),
    );
    const migration = readFileSync(
      join(ROOT, 'src/storage/migrations/0301_files_of_one_app.sql'),
      'utf8',
    );
    await sql.unsafe(`ALTER TABLE event_files DROP CONSTRAINT event_files_owner;
      DROP TRIGGER event_file_apps_one_app ON event_file_apps; DROP FUNCTION refuse_second_app;
      ${migration}`);
    expect((await liveFilesOfLevel(sql, 0)).map((file) => file.fileId)).toEqual([fileId]);
    expect(await liveFilesOfApp(sql, own)).toHaveLength(1);
  });
});
