import { beforeEach, describe, expect, test } from 'bun:test';
import { liveFilesOfApp, liveFilesOfLevel } from '../../../src/event-store/catalogue/queries.ts';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import type { StoredEvent } from '../../../src/event-store/event/stored-batch.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import {
  deleteAppEvents,
  eraseFromEvents,
  finishErasures,
} from '../../../src/event-store/people/erasure-queries.ts';
import { newId } from '../../../src/shared/ids.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import { append, openEventStore, readRows, visibleRows } from '../../support/event-store.ts';
import { event } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';

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

/** Everything that is due, until nothing is. */
async function maintain(r: typeof compaction): Promise<string[]> {
  const kinds: string[] = [];
  for (let jobs = await planJobs(r); jobs.length > 0; jobs = await planJobs(r)) {
    for (const job of jobs) {
      kinds.push(job.kind);
      await runJob(r, job);
    }
    if (kinds.length > 100) throw new Error(`Maintenance does not end: ${kinds.slice(0, 9)}`);
  }
  return kinds;
}

async function storedRows(appId: string) {
  const files = [...(await liveFilesOfLevel(sql, 0)), ...(await liveFilesOfApp(sql, appId))];
  const parts = files.map(async (file) =>
    readRows(store, await store.objects.localPath(file.path), appId),
  );
  return (await Promise.all(parts)).flat();
}

const day = (n: number) => new Date(Date.now() - n * DAY_MS).toISOString();

describe('splitting and merging', () => {
  test('leave every row as it was, in files of one app', async () => {
    const apps = [newId('app'), newId('app')];
    const batch = (appId: string): [string, StoredEvent[]] => [
      appId,
      [0, 1, 1, 40].map((n) => event({ ts: day(n), props: { n } })),
    ];
    await take(...apps.map(batch));
    await take(...apps.map(batch), batch(newId('app')));
    const before = await visibleRows(store, apps[0]!);
    const kinds = await maintain(later);
    expect(kinds[0]).toBe('split');
    expect(await liveFilesOfLevel(sql, 0)).toEqual([]);
    const order = (rows: typeof before) => rows.map((row) => JSON.stringify({ ...row })).toSorted();
    expect(order(await visibleRows(store, apps[0]!))).toEqual(order(before));
    for (const file of await liveFilesOfApp(sql, apps[0]!)) {
      expect(file).toMatchObject({ appId: apps[0]!, orgId: 'org_1' });
      if (file.level === 1) {
        expect(file.minOccurredAt.toISOString().slice(0, 10)).toBe(file.day ?? '');
      }
    }
    expect(await maintain(later)).toEqual([]);
  });

  test('leave the rows of an open day in files of many apps', async () => {
    const appId = newId('app');
    await take([appId, [event({ ts: day(0) }), event({ ts: day(3) })]]);
    await sql`UPDATE event_files SET created_at = created_at - interval '2 days'`;
    await maintain(compaction);
    expect((await liveFilesOfApp(sql, appId)).map((file) => file.rows)).toEqual([1]);
    expect((await liveFilesOfLevel(sql, 0)).map((file) => file.rows)).toEqual([1]);
    expect(await visibleRows(store, appId)).toHaveLength(2);
  });

  test('give way to what changed in between', async () => {
    const appId = newId('app');
    await take([appId, [event()]]);
    const [split] = await planJobs(later);
    await deleteAppEvents(sql, { orgId: 'org_1', appId });
    await runJob(later, split!);
    expect(await visibleRows(store, appId)).toEqual([]);
    expect(await liveFilesOfApp(sql, appId)).toEqual([]);
    await runJob(later, split!);
  });
});

describe('deleting an app', () => {
  test('takes its events out of every answer at once and out of shared files with the next maintenance', async () => {
    const [gone, kept] = [newId('app'), newId('app')];
    await take([gone, [event()]], [kept, [event()]]);
    const log = await store.openLog();
    await append(log, gone, [event()]);
    await deleteAppEvents(sql, { orgId: 'org_1', appId: gone });
    await append(log, gone, [event()]);
    expect(await visibleRows(store, gone)).toEqual([]);
    await log.close();
    await compactOnce(compaction);
    expect(await visibleRows(store, gone)).toEqual([]);
    expect(await maintain(compaction)).toEqual(['correct']);
    expect(await storedRows(gone)).toEqual([]);
    expect(await visibleRows(store, kept)).toHaveLength(1);
    await deleteAppEvents(sql, { orgId: 'org_1', appId: gone });
    expect(await maintain(compaction)).toEqual([]);
  });

  test('of another organization deletes nothing', async () => {
    const appId = newId('app');
    await take([appId, [event()]]);
    await deleteAppEvents(sql, { orgId: 'org_2', appId: newId('app') });
    expect(await visibleRows(store, appId)).toHaveLength(1);
  });
});

describe('erasing a person', () => {
  const erase = (appId: string, id: string) =>
    sql.begin((tx) => eraseFromEvents(tx, { orgId: 'org_1', appId }, id, []));
  const person = [
    event({ anonymousId: 'device-a' }),
    event({ anonymousId: 'device-a', userId: 'ann' }),
    event({ anonymousId: 'device-b', userId: 'ann' }),
    event({ anonymousId: 'device-c', userId: 'bob' }),
  ];

  test('hides them at once, in files and in the log, by any of their ids', async () => {
    for (const id of ['ann', 'device-a', 'device-b']) {
      const appId = newId('app');
      await take([appId, person]);
      const log = await store.openLog();
      await append(log, appId, [event({ anonymousId: 'device-a' })]);
      await erase(appId, id);
      expect((await visibleRows(store, appId)).map((row) => row.personId)).toEqual(['bob']);
      await log.close();
      await compactOnce(compaction);
      expect((await visibleRows(store, appId)).map((row) => row.personId)).toEqual(['bob']);
    }
  });

  test('takes them out of every file, forgets the plain id, and stays', async () => {
    const appId = newId('app');
    await take([appId, person]);
    await maintain(later);
    await take([appId, person]);
    await erase(appId, 'ann');
    expect(await finishErasures(sql)).toBe(0);
    await maintain(compaction);
    const left = await storedRows(appId);
    expect(new Set(left.map((row) => row.personId))).toEqual(new Set(['bob']));
    expect(await finishErasures(sql)).toBe(3);
    const rows = await sql`SELECT * FROM event_erasures WHERE app_id = ${appId}`;
    expect(rows.map((row) => row.subject)).toEqual([null, null, null]);
    expect(await sql`SELECT 1 FROM event_people WHERE user_id = 'ann'`).toHaveLength(0);
    await take([appId, [...person, event({ anonymousId: 'device-a' })]]);
    const seen = new Set((await visibleRows(store, appId)).map((row) => row.personId));
    expect(seen).toEqual(new Set(['bob']));
  });

  test('of one app leaves the same ids of another alone', async () => {
    const [one, other] = [newId('app'), newId('app')];
    await take([one, person], [other, person]);
    await erase(one, 'ann');
    expect(await visibleRows(store, other)).toHaveLength(4);
  });
});

describe('keeping events for so many days', () => {
  async function keepFor(appId: string, days: number): Promise<void> {
    await sql`
      INSERT INTO apps (app_id, org_id, slug, display_name, region, status, source, created_at)
      VALUES (${appId}, 'org_1', ${appId.replaceAll('_', '-')}, 'App', 'us-east-1', 'active',
        'built_here', now())`;
    await sql`
      INSERT INTO app_datasets (app_id, org_id, event_retention_days)
      VALUES (${appId}, 'org_1', ${days})`;
  }

  test('drops older rows from files and keeps everything else', async () => {
    const [short, long] = [newId('app'), newId('app')];
    const events = [1, 5, 20, 21, 70].map((n) => event({ ts: day(n), props: { n } }));
    await take([short, events], [long, events]);
    await maintain(compaction);
    await keepFor(short, 10);
    await sql`UPDATE event_files SET created_at = created_at - interval '2 days'`;
    await maintain(compaction);
    const left = (await storedRows(short)).map((row) => JSON.parse(row.props ?? '').n);
    expect(left.toSorted()).toEqual([1, 5]);
    expect(await visibleRows(store, long)).toHaveLength(5);
    expect(await maintain(compaction)).toEqual([]);
  });
});

describe('late mappings', () => {
  test('are written into the files once there are many', async () => {
    const appId = newId('app');
    const people = Array.from({ length: 1_100 }, (_, i) => `device-${1000 + i}`);
    const batches = (make: (id: string) => StoredEvent): [string, StoredEvent[]][] =>
      Array.from({ length: 11 }, (_, i) => [appId, people.slice(i * 100, i * 100 + 100).map(make)]);
    await take(...batches((anonymousId) => event({ anonymousId })));
    await take(...batches((anonymousId) => event({ anonymousId, userId: `user-${anonymousId}` })));
    const kinds = await maintain(compaction);
    expect(kinds).toContain('correct');
    const rows = await storedRows(appId);
    expect(rows).toHaveLength(2_200);
    expect(rows.every((row) => row.personId === `user-${row.anonymousId}`)).toBe(true);
  });
});
