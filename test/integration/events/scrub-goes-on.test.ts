import { expect, test } from 'bun:test';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { liveFilesWith, liveRuns } from '../../../src/event-store/catalogue/queries.ts';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import { filesHealth } from '../../../src/event-store/scrub/health.ts';
import { type Repair, repairDamaged } from '../../../src/event-store/scrub/repair.ts';
import { scrubRound, skipNone } from '../../../src/event-store/scrub/scrub.ts';
import { checkedObjectStore } from '../../../src/event-store/sums/checked-store.ts';
import { FileUses } from '../../../src/event-store/sums/file-uses.ts';
import { newId } from '../../../src/shared/ids.ts';
import { localObjectStore } from '../../../src/storage/object-store/local.ts';
import type { ObjectStore } from '../../../src/storage/object-store/port.ts';
import { s3ObjectStore } from '../../../src/storage/object-store/s3.ts';
import { append, openEventStore } from '../../support/event-store.ts';
import { event, quietLog, temporaryFolder } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { testS3 } from '../../support/s3-server.ts';

const { sql } = await testDatabase();
const dir = temporaryFolder('scrub-goes-on');
const log = quietLog();
const fresh = (objects: ObjectStore) => checkedObjectStore({ objects, sql, log });
const plain = localObjectStore(join(dir, 'objects'));
const store = await openEventStore(sql, fresh(plain));

const openRepair = (objects: ObjectStore, copies: Record<string, string> = {}): Repair => ({
  ...{ sql, log, objects: fresh(objects) },
  place: { isRemote: objects.isRemote, localPath: (key) => objects.localPath(key) },
  copiesOf: async function* (key) {
    if (copies[key] !== undefined) yield copies[key];
  },
  withCompactor: (work) => work(store.compaction),
});
const repair = openRepair(plain);

async function filed(one = store): Promise<{ key: string; run: string; path: string }> {
  const appId = newId('app');
  const opened = await one.openLog(60_000);
  await append(opened, appId, [event({ id: appId, anonymousId: appId })]);
  await opened.close();
  await compactOnce(one.compaction);
  const key = (await liveFilesWith(sql, appId))[0]!.path;
  return { key, run: (await liveRuns(sql)).at(-1)!.path, path: await one.objects.localPath(key) };
}

const forgetAll = () =>
  sql`TRUNCATE event_files, event_file_apps, event_sums, event_key_runs CASCADE`;

async function flip(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.length >> 1]! ^= 4;
  await writeFile(path, bytes);
}

test('many files of a question are compared with few of them open', async () => {
  const keys = Array.from({ length: 1_000 }, (_, n) => `events/many/${n}.parquet`);
  for (const key of keys) {
    const scratch = plain.scratchPath('one');
    await writeFile(scratch, key);
    await store.objects.adopt(scratch, key);
  }
  const objects = fresh(plain);
  const uses = new FileUses(objects, new Map(keys.map((key) => [join(dir, 'objects', key), key])));
  const before = (await readdir('/proc/self/fd')).length;
  let most = 0;
  let isOver = false;
  uses.note(keys.map((key) => join(dir, 'objects', key)));
  const done = uses.settle().finally(() => {
    isOver = true;
  });
  while (!isOver) most = Math.max(most, (await readdir('/proc/self/fd')).length);
  await done;
  expect(most - before).toBeLessThan(50);
}, 60_000);

test('a file of an earlier release that was away while it was due is whole once it is back', async () => {
  await forgetAll();
  const { key, path } = await filed();
  await sql`DELETE FROM event_sums`;
  await rename(path, `${path}.away`);
  await scrubRound(repair, 1);
  expect(await filesHealth({ sql })).toMatchObject({ good: false });
  expect(await repairDamaged(repair)).toBe(0);
  await rename(`${path}.away`, path);
  expect(await fresh(plain).localPath(key)).toBe(path);
  expect(await repairDamaged(repair)).toBe(1);
  expect(await filesHealth({ sql })).toMatchObject({ good: true });
  await flip(path);
  await expect(fresh(plain).localPath(key)).rejects.toThrow('is damaged');
}, 60_000);

test('a file that cannot be repaired keeps no other from its copy', async () => {
  await forgetAll();
  const { key, run, path } = await filed();
  const other = await filed();
  const copy = join(dir, 'copy');
  await writeFile(copy, await readFile(other.path));
  // Made again from event files, of which one is damaged too.
  await flip(await plain.localPath(run));
  await scrubRound(repair, 1);
  await flip(path);
  await flip(other.path);
  await scrubRound(repair, 1);
  expect(await repairDamaged(openRepair(plain, { [other.key]: copy }))).toBe(1);
  await fresh(plain).localPath(other.key);
  await expect(fresh(plain).localPath(key)).rejects.toThrow('is damaged');
}, 60_000);

test('a file that cannot be read at all is damaged, and keeps no other from the scrub', async () => {
  await forgetAll();
  const { path } = await filed();
  const other = await filed();
  await sql`UPDATE event_sums SET checked_at = now() - interval '8 days'`;
  await rm(path);
  await mkdir(path);
  const away = (key: string) =>
    key === other.run ? Promise.reject(new Error('Not now.')) : plain.localPath(key);
  await scrubRound({ ...repair, place: { isRemote: false, localPath: away } }, 1);
  const checked = await sql<{ path: string }[]>`
    SELECT path FROM event_sums WHERE checked_at > now() - interval '1 day'`;
  expect(checked.map((row) => row.path)).toContain(other.key);
  expect(await filesHealth({ sql })).toMatchObject({ good: false });
  await rm(path, { recursive: true });
}, 60_000);

test('what has no copy is tried more rarely the longer it is damaged', async () => {
  await forgetAll();
  const { path } = await filed();
  await flip(path);
  await scrubRound(repair, 1);
  await sql`UPDATE event_sums SET damaged_at = now() - interval '1 day' WHERE damaged_at < now()`;
  let tried = 0;
  const counting: Repair = {
    ...repair,
    copiesOf: async function* (key) {
      tried += 1;
      yield* repair.copiesOf(key);
    },
  };
  const skipped = skipNone();
  for (let round = 0; round < 20; round += 1) await repairDamaged(counting, skipped);
  expect(tried).toBe(1);
}, 60_000);

test('fifteen thousand files come round within a week', async () => {
  await forgetAll();
  await filed();
  await sql`
    INSERT INTO event_files SELECT (jsonb_populate_record(f, jsonb_build_object(
      'file_id', 'fil_' || n, 'path', 'events/none/' || n))).*
    FROM event_files f, generate_series(1, 15000) n`;
  await sql`
    INSERT INTO event_sums (path, bytes, sums, checked_at)
    SELECT path, 1, '\\x0000000000000000', now() - interval '7 days' FROM event_files
    ON CONFLICT (path) DO UPDATE SET checked_at = excluded.checked_at`;
  expect(await scrubRound(repair)).toBeGreaterThan(1);
  await forgetAll();
}, 240_000);

const s3 = await testS3();
if (s3) {
  const openHost = (name: string) =>
    s3ObjectStore({ ...s3.settings, prefix: 'goes-on', cacheDir: join(dir, name) });

  test('an object that is lost is said, and brought back from a copy', async () => {
    await forgetAll();
    const bucket = openHost('one');
    const { key, path } = await filed(await openEventStore(sql, fresh(bucket)));
    const copy = join(dir, 'copy-of-object');
    await rename(path, copy);
    await s3.client.file(`goes-on/${key}`).delete();
    const there = { ...openRepair(openHost('two'), { [key]: copy }), place: openHost('scrub') };
    await scrubRound(there, 1);
    expect((await filesHealth({ sql })).detail).toContain(key);
    expect(await repairDamaged(there)).toBe(1);
    expect(await filesHealth({ sql })).toMatchObject({ good: true });
    await fresh(openHost('three')).localPath(key);
  }, 60_000);
}

test('a stop waits for no file that is being read', async () => {
  await forgetAll();
  await filed();
  await sql`UPDATE event_sums SET checked_at = now() - interval '8 days'`;
  const stopping = new AbortController();
  const localPath = async (key: string) => {
    stopping.abort();
    return plain.localPath(key);
  };
  const place = { isRemote: false, localPath };
  await scrubRound({ ...repair, place, signal: stopping.signal }, 1);
  const checked = await sql`SELECT FROM event_sums WHERE checked_at > now() - interval '1 day'`;
  expect(checked).toHaveLength(0);
  expect(await scrubRound({ ...repair, signal: stopping.signal }, 1)).toBe(0);
  expect(await scrubRound(repair, 1)).toBe(2);
});
