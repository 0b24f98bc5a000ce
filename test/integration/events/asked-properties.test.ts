import { beforeEach, expect, test } from 'bun:test';
import { withinBudget } from '../../../src/event-store/columns/choose.ts';
import { columnTotals } from '../../../src/event-store/catalogue/column-queries.ts';
import { PropertyUses } from '../../../src/event-store/columns/uses.ts';
import { liveFilesOfApp } from '../../../src/event-store/catalogue/queries.ts';
import {
  sweepColumns,
  sweepOrphans,
  sweepRetired,
} from '../../../src/event-store/catalogue/sweep.ts';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import { deleteAppEvents } from '../../../src/event-store/people/erasure-queries.ts';
import { newId } from '../../../src/shared/ids.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import { deleteRowsOfApp } from '../../support/app-rows.ts';
import { ALL_TIME, append, openEventStore } from '../../support/event-store.ts';
import { event } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';

const { sql } = await testDatabase();
const store = await openEventStore(sql);
/** Two days on, so that what is written in these tests lies in closed days. */
const later = { ...store.compaction, clock: () => new Date(Date.now() + 2 * DAY_MS) };
const ORG = 'org_1';

beforeEach(async () => {
  await sql`TRUNCATE event_files, event_file_apps, event_property_uses CASCADE`;
  for (const { key } of await store.objects.list('projections/')) await store.objects.remove(key);
});

async function maintain(columnBytes?: number): Promise<string[]> {
  const kinds: string[] = [];
  for (;;) {
    const jobs = await planJobs(later, columnBytes);
    if (jobs.length === 0) break;
    for (const job of jobs) {
      kinds.push(job.kind);
      await runJob(later, job);
    }
    if (kinds.length > 20) throw new Error(`Maintenance does not end: ${kinds}`);
  }
  await sweepColumns(later);
  return kinds;
}

/** A file of one app, with more values of `query` than projections hold. */
async function filed(): Promise<string> {
  const appId = newId('app');
  const log = await store.openLog();
  const events = Array.from({ length: 300 }, (_, n) =>
    event({ name: 'searched', props: { query: `word ${n}`, results: n % 3 } }),
  );
  await append(log, appId, events);
  await log.close();
  await compactOnce(store.compaction);
  await maintain();
  return appId;
}

const uses = new PropertyUses(sql, (error) => {
  throw error;
});
async function use(appId: string, ...props: string[]): Promise<void> {
  uses.note({ orgId: ORG, appId }, props);
  await uses.write();
}

async function askedOf(appId: string, ...properties: string[]) {
  const window = { orgId: ORG, appId, ...ALL_TIME, withProjections: true, properties };
  const { files } = await store.hot.snapshot(window);
  return files.flatMap(({ projection }) =>
    (projection?.sections ?? [])
      .filter(({ rows }) => rows > 0)
      .flatMap(({ asked }) => [...asked].map(([name, column]) => [name, column?.length ?? 0])),
  );
}

const columnsStored = async () =>
  (await store.objects.list('projections/')).filter(({ key }) => key.endsWith('.column'));

test('a property that is asked for gets a column in the background, which a question reads', async () => {
  const appId = await filed();
  expect(await askedOf(appId, 'query')).toEqual([]);
  await use(appId, 'query');
  expect(await maintain()).toEqual(['renew']);
  expect(await askedOf(appId, 'query')).toEqual([['query', 300]]);
  expect(await askedOf(appId, 'other')).toEqual([]);
  const [stored] = await columnsStored();
  expect(await columnTotals(sql)).toEqual({ bytes: stored!.bytes, properties: 1, missing: 0 });
  // The file and its projection are as they were.
  expect(await maintain()).toEqual([]);
});

test('the column of a file that is written anew is made anew, and goes with its file', async () => {
  const appId = await filed();
  await use(appId, 'query');
  await maintain();
  const [before] = await columnsStored();
  await sql`UPDATE event_files SET projection = NULL, projection_format = 0`;
  expect(await askedOf(appId, 'query')).toEqual([]);
  expect(await maintain()).toEqual(['renew']);
  expect(await askedOf(appId, 'query')).toEqual([['query', 300]]);
  const [after, ...others] = await columnsStored();
  expect([after!.key === before!.key, others]).toEqual([false, []]);
  await sql`UPDATE event_files SET state = 'retired', retired_at = now() - interval '1 day'`;
  await sweepRetired(later);
  expect(await columnsStored()).toEqual([]);
});

test.each(['lost', 'damaged'])(
  'a column that is %s answers nothing and is made again',
  async (how) => {
    const appId = await filed();
    await use(appId, 'query');
    await maintain();
    const [column] = await columnsStored();
    if (how === 'lost') await store.objects.remove(column!.key);
    else await store.objects.putBytes(column!.key, Buffer.from('x'.repeat(100)));
    expect(await askedOf(appId, 'query')).toEqual([]);
    expect(await maintain()).toEqual(['renew']);
    expect(await askedOf(appId, 'query')).toEqual([['query', 300]]);
  },
);

test('a projection that was made in another way is replaced by one of the column', async () => {
  const appId = await filed();
  const [file] = await liveFilesOfApp(sql, appId);
  await store.objects.putBytes(file!.projection!, Buffer.from('x'.repeat(100)));
  await use(appId, 'query');
  await maintain();
  expect(await askedOf(appId, 'query')).toEqual([['query', 300]]);
  const [after] = await liveFilesOfApp(sql, appId);
  expect(after!.path).toBe(file!.path);
  expect(after!.projection).not.toBe(file!.projection);
});

test('what the budget has no room for gives way to what is used more', async () => {
  const appId = await filed();
  await use(appId, 'query');
  await maintain();
  const [{ bytes } = { bytes: 0 }] = await columnsStored();
  for (let times = 0; times < 3; times += 1) await use(appId, 'results');
  expect(await maintain(bytes)).toEqual(['renew']);
  expect(await askedOf(appId, 'query')).toEqual([]);
  expect(await columnTotals(sql)).toMatchObject({ properties: 1, missing: 0 });
  expect(await columnsStored()).toHaveLength(1);
  expect(await maintain(0)).toEqual([]);
  expect(await columnsStored()).toEqual([]);
});

test('an app keeps its hundred most used properties, and none once it is deleted', async () => {
  const appId = await filed();
  await use(appId, 'query');
  await use(appId, 'query');
  await use(appId, ...Array.from({ length: 100 }, (_, n) => `property ${n}`));
  const kept = await sql<{ prop: string }[]>`SELECT prop FROM event_property_uses`;
  expect(kept).toHaveLength(100);
  expect(kept.map(({ prop }) => prop)).toContain('query');
  await deleteAppEvents(sql, { orgId: ORG, appId });
  await deleteRowsOfApp({ sql }, { orgId: ORG, appId });
  await use(appId, 'query');
  expect(await sql`SELECT 1 FROM event_property_uses`).toHaveLength(0);
});

test('a column that nothing names goes with what crashes left behind', async () => {
  const appId = await filed();
  await use(appId, 'query');
  await maintain();
  await store.objects.putBytes('projections/2020-01-01/col_lost.column', Buffer.from('x'));
  await sweepOrphans(later, Date.now() + 2 * DAY_MS);
  expect(await columnsStored()).toHaveLength(1);
  expect(await askedOf(appId, 'query')).toEqual([['query', 300]]);
});

test('the most used come first, and one that has columns gives way only to twice its use', () => {
  const of = (prop: string, score: number, bytes: number, isChosen = false) => ({
    ...{ orgId: ORG, appId: 'app_1' },
    ...{ prop, score, bytes, isChosen },
  });
  const chosen = (...used: ReturnType<typeof of>[]) =>
    withinBudget(used, 100).map(({ prop }) => prop);
  expect(chosen(of('a', 1, 60), of('b', 3, 60), of('c', 2, 40))).toEqual(['b', 'c']);
  expect(chosen(of('new', 1.9, 60), of('old', 1, 60, true))).toEqual(['old']);
  expect(chosen(of('new', 2.1, 60), of('old', 1, 60, true))).toEqual(['new']);
});
