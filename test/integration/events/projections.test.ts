import { beforeEach, describe, expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { liveFilesOfApp } from '../../../src/event-store/catalogue/queries.ts';
import { sweepOrphans, sweepRetired } from '../../../src/event-store/catalogue/sweep.ts';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import type { StoredEvent } from '../../../src/event-store/event/stored-batch.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import { eraseFromEvents } from '../../../src/event-store/people/erasure-queries.ts';
import { PROJECTION_REVISION } from '../../../src/event-store/projection/format.ts';
import { keyWords } from '../../../src/event-store/projection/project.ts';
import type { Projection } from '../../../src/event-store/projection/projection.ts';
import { newId } from '../../../src/shared/ids.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import { ALL_TIME, append, openEventStore, visibleRows } from '../../support/event-store.ts';
import { event } from '../../support/events.ts';
import { poolerEnv, testDatabase } from '../../support/postgres.ts';

const { sql, url } = await testDatabase();
const store = await openEventStore(sql);
/** Two days on, so that what is written in these tests lies in closed days. */
const later = { ...store.compaction, clock: () => new Date(Date.now() + 2 * DAY_MS) };
const ORG = 'org_1';

beforeEach(async () => {
  await sql`TRUNCATE event_files, event_file_apps, event_erasures, event_people CASCADE`;
  for (const { key } of await store.objects.list('projections/')) await store.objects.remove(key);
});

/** The kinds of jobs that were due, until nothing is. */
async function maintain(): Promise<string[]> {
  const kinds: string[] = [];
  for (let jobs = await planJobs(later); jobs.length > 0; jobs = await planJobs(later)) {
    for (const job of jobs) {
      kinds.push(job.kind);
      await runJob(later, job);
    }
    if (kinds.length > 20) throw new Error(`Maintenance does not end: ${kinds}`);
  }
  return kinds;
}

/** The events of one app in a file of its own. */
async function filed(events: StoredEvent[]): Promise<string> {
  const appId = newId('app');
  const log = await store.openLog();
  await append(log, appId, events);
  await log.close();
  await compactOnce(store.compaction);
  await maintain();
  return appId;
}

const projectionsOf = async (appId: string): Promise<(Projection | null)[]> => {
  const window = { orgId: ORG, appId, ...ALL_TIME, withProjections: true };
  return (await store.hot.snapshot(window)).files.map(({ projection }) => projection);
};

const rowsIn = (projections: (Projection | null)[]) =>
  projections.map(
    (projection) => projection?.sections.reduce((sum, { rows }) => sum + rows, 0) ?? null,
  );

const stored = async () =>
  (await store.objects.list('projections/')).map(({ key }) => key).toSorted();

const hasKey = (projections: (Projection | null)[], id: string) =>
  projections.some((projection) => {
    const found = keyWords(id).join();
    return Array.from({ length: projection?.entries ?? 0 }, (_, entry) =>
      projection?.keys.subarray(entry * 4, entry * 4 + 4).join(),
    ).includes(found);
  });

test('every file of one app has the projection of its rows, and the catalogue its size', async () => {
  const appId = await filed([event(), event(), event()]);
  const [file] = await liveFilesOfApp(sql, appId);
  expect(file).toMatchObject({ rows: 3, projectionFormat: PROJECTION_REVISION });
  expect(rowsIn(await projectionsOf(appId))).toEqual([3]);
  expect(await stored()).toEqual([file!.projection!]);
  const { size } = Bun.file(await store.objects.localPath(file!.projection!));
  expect(file!.projectionBytes).toBe(size);
  // Nobody opens them for a question that has no use for them.
  const snapshot = await store.hot.snapshot({ orgId: ORG, appId, ...ALL_TIME });
  expect(snapshot.files.map(({ projection }) => projection)).toEqual([null]);
});

test('a file without one is given it, and is not written anew for it', async () => {
  const appId = await filed([event(), event()]);
  const [before] = await liveFilesOfApp(sql, appId);
  await sql`
    UPDATE event_files SET projection = NULL, projection_bytes = NULL, projection_format = 0`;
  expect(rowsIn(await projectionsOf(appId))).toEqual([null]);
  expect(await maintain()).toEqual(['renew']);
  const [after] = await liveFilesOfApp(sql, appId);
  expect(after!.path).toBe(before!.path);
  expect(after!.projection).not.toBe(before!.projection);
  expect(rowsIn(await projectionsOf(appId))).toEqual([2]);
  // What nothing names any more goes with what crashes left behind.
  expect(await sweepOrphans(later, Date.now() + 2 * DAY_MS)).toBeGreaterThan(0);
  expect(await stored()).toEqual([after!.projection!]);
});

test('one of an earlier revision answers until maintenance has made another, and is gone then', async () => {
  const appId = await filed([event(), event()]);
  const [before] = await stored();
  await sql`UPDATE event_files SET projection_format = ${PROJECTION_REVISION - 1}`;
  expect(rowsIn(await projectionsOf(appId))).toEqual([2]);
  expect(await maintain()).toEqual(['renew']);
  const [file] = await liveFilesOfApp(sql, appId);
  expect(file).toMatchObject({ projectionFormat: PROJECTION_REVISION });
  expect(file!.projection).not.toBe(before!);
  expect(await stored()).toEqual([file!.projection!]);
  expect((await projectionsOf(appId)).map((one) => one?.hasSenders)).toEqual([true]);
});

test.each(['lost', 'damaged'])('one that is %s answers nothing and is made again', async (how) => {
  const appId = await filed([event()]);
  const [key] = await stored();
  if (how === 'lost') await store.objects.remove(key!);
  else await store.objects.putBytes(key!, Buffer.from('x'.repeat(100)));
  expect(rowsIn(await projectionsOf(appId))).toEqual([null]);
  expect(await maintain()).toEqual(['renew']);
  expect(rowsIn(await projectionsOf(appId))).toEqual([1]);
});

test('one that was made while its file was replaced is taken back', async () => {
  const appId = await filed([event()]);
  await sql`UPDATE event_files SET projection = NULL, projection_format = 0`;
  await store.objects.remove((await stored())[0]!);
  const [job] = await planJobs(later);
  // After the job has read which files are live.
  const objects = {
    ...store.objects,
    localPath: async (key: string) => {
      await sql`UPDATE event_files SET state = 'retired', retired_at = now() WHERE app_id = ${appId}`;
      return store.objects.localPath(key);
    },
  };
  await runJob({ ...later, objects }, job!);
  expect(await stored()).toEqual([]);
});

test('an erased person is in no projection once their files are rewritten and swept', async () => {
  const events = ['device-1', 'device-2'].map((anonymousId) => event({ anonymousId }));
  const appId = await filed(events);
  const [before] = await stored();
  expect(hasKey(await projectionsOf(appId), 'device-1')).toBe(true);
  await sql.begin((tx) => eraseFromEvents(tx, { orgId: ORG, appId }, 'device-1', []));
  await maintain();
  const after = await projectionsOf(appId);
  expect(rowsIn(after)).toEqual([1]);
  expect(hasKey(after, 'device-1')).toBe(false);
  expect(hasKey(after, 'device-2')).toBe(true);
  await sql`UPDATE event_files SET retired_at = now() - interval '1 hour' WHERE state = 'retired'`;
  await sweepRetired(store.compaction);
  expect(await stored()).not.toContain(before!);
  expect(await stored()).toHaveLength(1);
});

describe('a process that is killed', () => {
  const PLACES = [
    ['split', 'within its projection'],
    ['split', 'after its projection'],
    ['split', 'before the catalogue names both'],
    ['renew', 'within its projection'],
    ['renew', 'after its projection'],
  ] as const;

  async function runAndDie(kind: string, fileId: string, killed: string) {
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dir, '../../support/killed-projecting-child.ts')],
      {
        env: {
          PATH: process.env.PATH ?? '',
          DATABASE_URL: url,
          ...poolerEnv,
          STORE_DIR: store.dir,
          JOB: JSON.stringify({ kind, fileIds: [fileId] }),
          KILLED: killed,
          NAME: fileId,
        },
        stdout: 'ignore',
        stderr: process.env.TEST_LOG_LEVEL ? 'inherit' : 'ignore',
      },
    );
    await child.exited;
    return child.signalCode;
  }

  test('at any place between a file and its projection leaves nothing half and loses nothing', async () => {
    const apps: { appId: string; fileId: string }[] = [];
    for (const [kind] of PLACES) {
      const appId = newId('app');
      const log = await store.openLog();
      await append(log, appId, [event(), event(), event()]);
      await log.close();
      await compactOnce(store.compaction);
      const [{ fileId = '' } = {}] = await sql<{ fileId: string }[]>`
        SELECT file_id AS "fileId" FROM event_file_apps WHERE app_id = ${appId}`;
      apps.push({ appId, fileId });
      if (kind === 'split') continue;
      await runJob(later, { kind: 'split', fileIds: [fileId] });
      const [file] = await liveFilesOfApp(sql, appId);
      apps.splice(-1, 1, { appId, fileId: file!.fileId });
      await sql`
        UPDATE event_files SET projection = NULL, projection_bytes = NULL, projection_format = 0
        WHERE file_id = ${file!.fileId}`;
    }
    const deaths = await Promise.all(
      PLACES.map(([kind, place], index) => runAndDie(kind, apps[index]!.fileId, place)),
    );
    expect(deaths).toEqual(PLACES.map(() => 'SIGKILL'));
    for (const { appId } of apps) {
      // What was not finished is in no answer: the rows are read from the file that was there.
      expect(rowsIn(await projectionsOf(appId))).toEqual([null]);
      expect(await visibleRows(store, appId)).toHaveLength(3);
    }
    await maintain();
    for (const { appId } of apps) {
      expect(rowsIn(await projectionsOf(appId))).toEqual([3]);
      expect(await visibleRows(store, appId)).toHaveLength(3);
    }
    const inTwoDays = Date.now() + 2 * DAY_MS;
    await sweepOrphans(later, inTwoDays);
    await store.objects.trim(inTwoDays);
    const named = await sql<{ projection: string }[]>`
      SELECT projection FROM event_files WHERE projection IS NOT NULL ORDER BY projection`;
    expect(await stored()).toEqual(named.map(({ projection }) => projection));
    expect(named).toHaveLength(apps.length);
    const left = await readdir(`${store.dir}/objects`, { recursive: true, withFileTypes: true });
    const names = left.filter((entry) => entry.isFile()).map(({ name }) => name);
    expect(names.filter((name) => !/^(fil|prj|run)_[a-z0-9]+\.[a-z]+$/.test(name))).toEqual([]);
  });
});
