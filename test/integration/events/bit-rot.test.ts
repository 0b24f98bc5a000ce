import { afterAll, describe, expect, test } from 'bun:test';
import { copyFile, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { liveFilesWith, liveRuns } from '../../../src/event-store/catalogue/queries.ts';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import { KeyIndex } from '../../../src/event-store/dedup/key-index.ts';
import { HotEvents } from '../../../src/event-store/hot/hot-events.ts';
import { listSegments } from '../../../src/event-store/log/segments.ts';
import { SegmentShipper } from '../../../src/event-store/log/shipper.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import { coalesceOnce } from '../../../src/event-store/maintenance/rewrite.ts';
import { filesHealth } from '../../../src/event-store/scrub/health.ts';
import { type Repair, repairDamaged } from '../../../src/event-store/scrub/repair.ts';
import { writeIdentities } from '../../../src/event-store/rebuild/identities.ts';
import { scrubRound } from '../../../src/event-store/scrub/scrub.ts';
import { checkedObjectStore } from '../../../src/event-store/sums/checked-store.ts';
import { QueryEngine } from '../../../src/query/engine.ts';
import { answerHere } from '../../../src/query/server.ts';
import { newId } from '../../../src/shared/ids.ts';
import { DAY_MS, systemClock } from '../../../src/shared/time.ts';
import { openDuck } from '../../../src/storage/duckdb.ts';
import { localObjectStore } from '../../../src/storage/object-store/local.ts';
import type { ObjectStore } from '../../../src/storage/object-store/port.ts';
import { s3ObjectStore } from '../../../src/storage/object-store/s3.ts';
import {
  append,
  appendImported,
  openEventStore,
  type TestEventStore,
} from '../../support/event-store.ts';
import { event, quietLog, temporaryFolder } from '../../support/events.ts';
import { poolerEnv, testDatabase } from '../../support/postgres.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { testS3 } from '../../support/s3-server.ts';

/** One bit flipped at random in each of so many files of a kind. */
const FILES = isFullRun ? 100 : 4;
const EVENTS = 40;

const { sql, url } = await testDatabase();
const random = randomFrom(Number(process.env.BIT_ROT_SEED ?? 8));
const dir = temporaryFolder('bit-rot');
const log = quietLog();
const duck = await openDuck({ memoryMb: 128, threads: 1, tempDir: dir, tempLimitMb: 64 });
afterAll(() => duck.closeSync());

async function flip(path: string): Promise<void> {
  const bytes = await readFile(path);
  const at = Math.floor(random() * bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  await writeFile(path, bytes);
  // Bits flip at rest: the file is older than what replaces it.
  await utimes(path, 1_700_000_000, 1_700_000_000);
}

/** As a process has it that has just been started: it remembers nothing. */
const fresh = (objects: ObjectStore) => checkedObjectStore({ objects, sql, log });

function openPlace(objects: ObjectStore, store: TestEventStore, copies: string) {
  const later = { ...store.compaction, clock: () => new Date(Date.now() + 2 * DAY_MS) };
  const repair: Repair = {
    ...{ sql, log, objects: fresh(objects) },
    place: { isRemote: objects.isRemote, localPath: (key) => objects.localPath(key) },
    copiesOf: async function* (key) {
      const copy = join(copies, basename(key));
      if (await Bun.file(copy).exists()) yield copy;
    },
    withCompactor: (work) => work(store.compaction),
  };
  const compact = () => {
    const own = fresh(objects);
    const keys = new KeyIndex((path, part) => own.localPath(path, { part }));
    return compactOnce({ ...store.compaction, objects: own, keys });
  };
  const take = async (appId: string, batches: number, perBatch = EVENTS) => {
    const opened = await store.openLog(60_000);
    for (let batch = 0; batch < batches; batch += 1) {
      const events = Array.from({ length: perBatch }, (_, n) =>
        event({ id: `${appId}-${batch}-${n}`, anonymousId: `d${batch}-${n}`, props: { n } }),
      );
      await append(opened, appId, events);
    }
    await opened.close();
  };
  const ask = (appId: string) => {
    const hot = new HotEvents({ sql, objects: fresh(objects), clock: systemClock }, store.logDir);
    const onStuck = () => {
      throw new Error('The process would end.');
    };
    const engine = new QueryEngine({ duck, hot, timeoutMs: 60_000, onStuck });
    const window = { fromUs: 0, beforeUs: Number.MAX_SAFE_INTEGER, limit: 10 };
    return answerHere(engine, 'summary', { orgId: 'org_1', appId, ...window });
  };
  const maintain = async () => {
    for (let jobs = await planJobs(later); jobs.length > 0; jobs = await planJobs(later)) {
      for (const job of jobs) await runJob(later, job);
    }
  };
  return { repair, compact, take, ask, maintain };
}

const objects = localObjectStore(join(dir, 'objects'));
const store = await openEventStore(sql, fresh(objects));
const copies = join(dir, 'copies');
await mkdir(copies);
const { repair, compact, take, ask, maintain } = openPlace(objects, store, copies);

const pathOf = (key: string) => objects.localPath(key);
const fileOf = async (appId: string) => (await liveFilesWith(sql, appId))[0]!;
const damaged = { kind: 'damaged' };

async function filed(): Promise<string> {
  const appId = newId('app');
  await take(appId, 1);
  await compact();
  return appId;
}

describe('one flipped bit', () => {
  test('of an event file is found by the first question, answers nothing, and is repaired', async () => {
    for (let n = 0; n < FILES; n += 1) {
      const appId = await filed();
      const path = await pathOf((await fileOf(appId)).path);
      await copyFile(path, join(copies, basename(path)));
      await flip(path);
      await expect(ask(appId)).rejects.toMatchObject(damaged);
      expect(await filesHealth({ sql })).toMatchObject({
        good: false,
        detail: expect.stringContaining(basename(path)),
      });
      await expect(ask(appId)).rejects.toMatchObject(damaged);
      expect(await repairDamaged(repair)).toBe(1);
      expect(await filesHealth({ sql })).toMatchObject({ good: true });
      expect(await ask(appId)).toMatchObject({ events: EVENTS, people: EVENTS });
    }
  }, 900_000);

  test('of a file without a copy answers nothing, whatever asks, and is not merged', async () => {
    await forgetAll();
    const appId = await filed();
    const file = await fileOf(appId);
    const path = await pathOf(file.path);
    const good = await readFile(path);
    await flip(path);
    for (let n = 0; n < 7; n += 1) await filed();
    await expect(coalesceOnce({ ...store.compaction, objects: fresh(objects) })).rejects.toThrow(
      'is damaged',
    );
    expect(await repairDamaged(repair)).toBe(0);
    await expect(ask(appId)).rejects.toMatchObject(damaged);
    expect((await fileOf(appId)).path).toBe(file.path);
    // Brought back by the operator.
    await writeFile(path, good);
    expect(await repairDamaged(repair)).toBe(1);
    expect(await ask(appId)).toMatchObject({ events: EVENTS });
    expect(await coalesceOnce(store.compaction)).toBeGreaterThan(1);
  }, 60_000);

  test('of a file that no question reads is found by the scrub', async () => {
    const apps = await Promise.all([filed()]);
    while ((await compact()).events > 0);
    await maintain();
    const files = await Promise.all(apps.map(fileOf));
    for (const { path } of files) await flip(await pathOf(path));
    // From its projection.
    for (const appId of apps) expect(await ask(appId)).toMatchObject({ events: EVENTS });
    expect(await filesHealth({ sql })).toMatchObject({ good: true });
    expect(await scrubRound(repair, 1)).toBeGreaterThan(0);
    expect(await filesHealth({ sql })).toMatchObject({ good: false });
    await sql`TRUNCATE event_files, event_file_apps, event_sums CASCADE`;
  }, 60_000);

  test('of a projection costs a question its speed, and maintenance makes another', async () => {
    const apps: string[] = [];
    for (let n = 0; n < FILES; n += 1) apps.push(await filed());
    await maintain();
    const [asked, scrubbed] = [apps.slice(FILES / 2), apps.slice(0, FILES / 2)];
    for (const appId of asked) {
      const { projection } = await fileOf(appId);
      await flip(await pathOf(projection!));
      expect(await ask(appId)).toMatchObject({ events: EVENTS, people: EVENTS });
      expect((await fileOf(appId)).projection).not.toBe(projection);
    }
    await scrubRound(repair, 1);
    for (const appId of scrubbed) await flip(await pathOf((await fileOf(appId)).projection!));
    await scrubRound(repair, 1);
    expect(await repairDamaged(repair)).toBe(scrubbed.length);
    for (const appId of scrubbed) {
      expect((await fileOf(appId)).projection).toBeNull();
      expect(await ask(appId)).toMatchObject({ events: EVENTS, people: EVENTS });
    }
    await maintain();
    for (const appId of apps) expect((await fileOf(appId)).projection).not.toBeNull();
    expect(await filesHealth({ sql })).toMatchObject({ good: true });
  }, 900_000);

  test('of a key run keeps compaction waiting until the run is made again', async () => {
    for (let n = 0; n < FILES; n += 1) {
      const appId = await filed();
      const run = (await liveRuns(sql)).at(-1)!;
      await flip(await pathOf(run.path));
      await take(appId, 1);
      await expect(compact()).rejects.toThrow('is damaged');
      expect(await repairDamaged(repair)).toBe(1);
      expect(await compact()).toMatchObject({ segments: 1, events: 0 });
      expect(await ask(appId)).toMatchObject({ events: EVENTS });
    }
  }, 900_000);

  test('of a key run leaves the keys of imports apart', async () => {
    await forgetAll();
    const appId = newId('app');
    await take(appId, 1);
    const opened = await store.openLog(60_000);
    const imported = ['one', 'two', 'three'].map((id) => event({ id: `imported-${id}` }));
    await appendImported(sql, opened, { orgId: 'org_1', appId, importId: 'imp_rot' }, imported);
    await opened.close();
    await compact();
    const runs = async () =>
      new Map((await liveRuns(sql)).map(({ importId, keys }) => [importId, keys]));
    const before = new Map<string | null, number>([
      [null, EVENTS],
      ['imp_rot', imported.length],
    ]);
    expect(await runs()).toEqual(before);
    for (const { path } of await liveRuns(sql)) {
      await flip(await pathOf(path));
      await scrubRound(repair, 1);
      expect(await repairDamaged(repair)).toBe(1);
      expect(await runs()).toEqual(before);
    }
    const keysOf = async (of?: string | null) =>
      (await writeIdentities(store.compaction, await liveFilesWith(sql, appId), of)).map(
        ({ importId, keys }) => [importId, keys],
      );
    expect((await keysOf()).toSorted()).toEqual([...before].toSorted());
    // Undone: another import has one of them, the app the others.
    await sql`
      INSERT INTO event_undone_imports (import_id, org_id, app_id, seq)
      VALUES ('imp_rot', 'org_1', ${appId}, 1)`;
    const [{ key, at }] = await store.compaction.connection
      .runAndReadAll(
        `SELECT event_key::VARCHAR AS key, received_at::VARCHAR AS at
        FROM read_parquet('${await pathOf((await fileOf(appId)).path)}') WHERE arrival % 2 = 1 LIMIT 1`,
      )
      .then((reader) => reader.getRowObjects() as [{ key: string; at: string }]);
    await sql`
      INSERT INTO event_import_adopted (org_id, app_id, import_id, event_key, received_at)
      VALUES ('org_1', ${appId}, 'imp_next', ${key}, ${at}::text::timestamptz)`;
    expect(await keysOf('imp_next')).toEqual([['imp_next', 1]]);
    expect(await keysOf(null)).toEqual([[null, EVENTS + 2]]);
  }, 60_000);

  test('of a segment costs its own record alone', async () => {
    for (let n = 0; n < FILES; n += 1) {
      const appId = newId('app');
      await take(appId, 10, 2);
      const [segment] = await listSegments(store.logDir);
      await flip(segment!.path);
      const seen = await ask(appId);
      expect([18, 20]).toContain(seen.events);
      await compact();
      expect(await ask(appId)).toMatchObject({ events: seen.events, people: seen.events });
    }
  }, 900_000);
});

const CHILD = join(import.meta.dir, '../../support/killed-repairing-child.ts');

/** Whether it was killed. */
async function killRepairAt(step: number): Promise<boolean> {
  const env = { ...process.env, ...poolerEnv, DATABASE_URL: url, COPIES: copies, AT: String(step) };
  const child = Bun.spawn([process.execPath, CHILD], {
    env: { ...env, OBJECTS: join(dir, 'objects') },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await child.exited;
  expect(child.signalCode ?? child.exitCode).toBeOneOf(['SIGKILL', 0]);
  return child.signalCode === 'SIGKILL';
}

const KILLS: Record<string, (appId: string) => Promise<string>> = {
  'an event file': async (appId) => (await fileOf(appId)).path,
  'a key run': async () => (await liveRuns(sql)).at(-1)!.path,
};

describe.each(Object.entries(KILLS))('a process killed while it repairs %s', (_, keyOf) => {
  test('leaves what the next one repairs', async () => {
    for (let step = isFullRun ? 1 : 2; ; step += isFullRun ? 1 : 2) {
      const appId = await filed();
      const key = await keyOf(appId);
      const path = await pathOf(key);
      if (key.endsWith('.parquet')) await copyFile(path, join(copies, basename(path)));
      await flip(path);
      await scrubRound(repair, 1);
      expect(await filesHealth({ sql })).toMatchObject({ good: false });
      const isKilled = await killRepairAt(step);
      await repairDamaged(repair);
      expect(await filesHealth({ sql })).toMatchObject({ good: true });
      await take(appId, 1);
      expect(await compact()).toMatchObject({ segments: 1, events: 0 });
      expect(await ask(appId)).toMatchObject({ events: EVENTS, people: EVENTS });
      if (!isKilled) break;
    }
  }, 900_000);
});

test('files of an earlier release are said to be unchecked until the scrub was there', async () => {
  const [appId, other] = [await filed(), await filed()];
  await sql`DELETE FROM event_sums`;
  expect((await filesHealth({ sql })).detail).toContain('not checked yet');
  expect(await ask(appId)).toMatchObject({ events: EVENTS });
  await scrubRound(repair, 1);
  expect((await filesHealth({ sql })).detail).not.toContain('not checked yet');
  await flip(await pathOf((await fileOf(other)).path));
  await expect(ask(other)).rejects.toMatchObject(damaged);
});

const forgetAll = () =>
  sql`TRUNCATE event_files, event_file_apps, event_sums, event_key_runs CASCADE`;

test('the scrub takes the share of a minute, least recently checked first', async () => {
  await forgetAll();
  for (let n = 0; n < 3; n += 1) await filed();
  expect(await scrubRound(repair)).toBe(0);
  await sql`UPDATE event_sums SET checked_at = now() - interval '7 days'`;
  // Three files and three runs.
  for (let n = 0; n < 6; n += 1) expect(await scrubRound(repair)).toBe(1);
  expect(await scrubRound(repair)).toBe(0);
});

const s3 = await testS3();
if (s3) {
  const cacheOf = (name: string) => join(dir, name);
  const openHost = (name: string) =>
    s3ObjectStore({ ...s3.settings, prefix: 'rot', cacheDir: cacheOf(name) });
  const bucket = openHost('one');
  const remote = await openEventStore(sql, fresh(bucket));
  const here = openPlace(bucket, remote, join(dir, 'none'));
  const rotten = async (key: string) => {
    const object = s3.client.file(`rot/${key}`);
    const bytes = await object.bytes();
    bytes[bytes.length >> 1]! ^= 4;
    await object.write(bytes);
  };

  test('a damaged copy of the cache is fetched again, and one of the bucket is repaired', async () => {
    await forgetAll();
    const appId = newId('app');
    await here.take(appId, 1);
    await here.compact();
    const { path } = await fileOf(appId);
    await flip(await bucket.localPath(path));
    // Where it may have been read already, the question is asked again.
    const answer = () =>
      here.ask(appId).catch((thrown) => {
        expect(thrown).toMatchObject({ kind: 'incomplete' });
        return here.ask(appId);
      });
    expect(await answer()).toMatchObject({ events: EVENTS });
    // Another host has it in its cache.
    await openHost('two').localPath(path);
    await rotten(path);
    const third = openHost('three');
    await expect(fresh(third).localPath(path)).rejects.toThrow('is damaged');
    const other = openHost('two');
    const place = openHost('scrub');
    const repairThere = { ...here.repair, objects: fresh(other), place };
    expect(await repairDamaged(repairThere)).toBe(1);
    expect(await Bun.file(await fresh(openHost('four')).localPath(path)).exists()).toBe(true);
  }, 60_000);

  test('a copy that another question fetches again counts as read before', async () => {
    await forgetAll();
    const appId = newId('app');
    await here.take(appId, 1);
    await here.compact();
    const { path } = await fileOf(appId);
    await flip(await bucket.localPath(path));
    const fetched = Promise.withResolvers<void>();
    let calls = 0;
    const own = fresh({
      ...bucket,
      isRemote: true,
      localPath: async (key) => {
        calls += 1;
        if (calls === 1) await fetched.promise;
        return bucket.localPath(key);
      },
    });
    const used = own.localPath(path, { when: 'used' });
    await own.localPath(path);
    fetched.resolve();
    await expect(used).rejects.toThrow('was fetched again');
    await own.localPath(path, { when: 'used' });
  });

  test('a damaged segment is read from its copy in the bucket', async () => {
    await forgetAll();
    const appId = newId('app');
    await here.take(appId, 10, 2);
    const shipper = new SegmentShipper({ objects: bucket, logDir: remote.logDir, log });
    await shipper.ship();
    const [segment] = await listSegments(remote.logDir);
    await flip(segment!.path);
    await here.compact();
    expect(await here.ask(appId)).toMatchObject({ events: 20, people: 20 });
  }, 60_000);
}
