import { expect, test } from 'bun:test';
import { liveFilesOfApp, liveFilesOfLevel } from '../../../src/event-store/catalogue/queries.ts';
import { compactAll } from '../../../src/event-store/compaction/loop.ts';
import type { StoredEvent } from '../../../src/event-store/event/stored-batch.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import {
  eraseFromEvents,
  finishErasures,
} from '../../../src/event-store/people/erasure-queries.ts';
import { newId } from '../../../src/shared/ids.ts';
import { append, openEventStore, readRows, visibleRows } from '../../support/event-store.ts';
import { event } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { isFullRun } from '../../support/random.ts';

const ROWS = isFullRun ? 1_800_000 : 20_000;
const BATCH = 500;
const SIGN_INS = 100;
/** Of one erasure, on 1.8 million rows. */
const LIMIT_CPU_SECONDS = 3;

const { sql } = await testDatabase();
const store = await openEventStore(sql);
const { compaction } = store;
const appId = newId('app');

async function take(events: StoredEvent[]): Promise<void> {
  const log = await store.openLog();
  for (let from = 0; from < events.length; from += BATCH) {
    await append(log, appId, events.slice(from, from + BATCH));
  }
  await log.close();
  await compactAll(compaction);
}

const erase = (id: string) =>
  sql.begin((tx) => eraseFromEvents(tx, { orgId: 'org_1', appId }, id, []));

async function maintain(): Promise<{ jobs: number; cpuSeconds: number }> {
  const before = process.cpuUsage();
  let done = 0;
  for (let jobs = await planJobs(compaction); jobs.length > 0; jobs = await planJobs(compaction)) {
    for (const job of jobs) await runJob(compaction, job);
    done += jobs.length;
  }
  const { user, system } = process.cpuUsage(before);
  return { jobs: done, cpuSeconds: (user + system) / 1_000_000 };
}

const files = async () => [
  ...(await liveFilesOfLevel(sql, 0)),
  ...(await liveFilesOfApp(sql, appId)),
];
const rowsIn = async (path: string) => readRows(store, await store.objects.localPath(path), appId);

test('an erasure rewrites the files that hold the person, and leaves late aliases late', async () => {
  const PORTION = 100_000;
  for (let from = 0; from < ROWS; from += PORTION) {
    const count = Math.min(PORTION, ROWS - from);
    const made = Array.from({ length: count }, (_, i) =>
      event({ anonymousId: `device-${from + i}` }),
    );
    await take(made);
  }
  await maintain();
  const signedIn = Array.from({ length: SIGN_INS }, (_, i) =>
    event({ anonymousId: `device-${i * Math.floor(ROWS / SIGN_INS)}`, userId: `user-${i}` }),
  );
  await take(signedIn);
  await take([event({ anonymousId: 'leaver' }), event({ anonymousId: 'leaver', userId: 'lea' })]);
  await take([event({ anonymousId: 'other' })]);
  await maintain();

  const before = await files();
  await erase('lea');
  const { cpuSeconds } = await maintain();
  const after = new Set((await files()).map(({ fileId }) => fileId));
  const rewritten = before.filter(({ fileId }) => !after.has(fileId));
  console.log(`${ROWS} rows: ${rewritten.reduce((sum, { rows }) => sum + rows, 0)} rewritten,`);
  console.log(`${cpuSeconds.toFixed(2)} processor seconds, ${before.length} files`);
  expect(rewritten.length).toBeGreaterThan(0);
  for (const { path } of rewritten) {
    expect((await rowsIn(path)).some((row) => row.anonymousId === 'leaver')).toBe(true);
  }
  expect(cpuSeconds).toBeLessThan(LIMIT_CPU_SECONDS);
  expect(await finishErasures(sql)).toBe(2);
  if (isFullRun) return;
  const visible = await visibleRows(store, appId);
  expect(visible).toHaveLength(ROWS + SIGN_INS + 1);
  const people = new Map(visible.map((row) => [row.anonymousId, row.personId]));
  expect(people.get('device-0')).toBe('user-0');
  expect(people.has('leaver')).toBe(false);
});

test('an erasure of somebody with a late alias takes their rows in files of before', async () => {
  await take([event({ anonymousId: 'early' })]);
  await take([event({ anonymousId: 'early', userId: 'eve' })]);
  await erase('eve');
  await maintain();
  expect(await finishErasures(sql)).toBe(2);
  for (const { path } of isFullRun ? [] : await files()) {
    expect((await rowsIn(path)).filter((row) => row.anonymousId === 'early')).toEqual([]);
  }
});
