import { afterAll, expect, test } from 'bun:test';
import type { App } from '../../src/shared/app.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { expectExactlyOnce, expectVisible, report } from '../support/event-crash.ts';
import { AWAY_MS, MOST_MB, prepareEventOutage } from '../support/event-outage.ts';
import { saidWithin } from '../support/said-within.ts';
import { isFullRun } from '../support/random.ts';
import { until } from '../support/until.ts';
import { pause } from '../support/pause.ts';

const FROZEN_MS = isFullRun ? 60_000 : 5_000;
const SECONDS = AWAY_MS / 1_000;

/** One service under one load, which goes on through both tests. */
const { servers, env, instance, crash, apiMb, lookOn } = await prepareEventOutage(1);
const { sender } = crash;
const sending = sender.run();
const sql = createSql(env.DATABASE_URL, { maxConnections: 1, applicationName: 'crash-test' });
afterAll(() => sql.end());

/** What needs the database says so. */
async function expectUnavailable(): Promise<void> {
  const asked = await crash.client.once('GET', `/v1/apps/${crash.appId}/events/summary`);
  expect(asked.status).toBe(503);
}

/** Events are taken all the while, none is refused, and memory stays in bounds. */
async function expectTaken(look: () => Promise<void>, beforeMb: number): Promise<void> {
  const before = sender.acknowledgedEvents;
  const refusals = sender.refusals;
  const peakMb = await lookOn(look);
  expect(sender.refusals).toBe(refusals);
  const taken = sender.acknowledgedEvents - before;
  expect(taken).toBeGreaterThan(AWAY_MS / 100);
  expect(peakMb).toBeLessThan(MOST_MB);
  console.log(
    `  ${taken} events taken meanwhile, slowest 202 so far ${Math.round(sender.slowestMs)} ms; ` +
      `memory of the API ${beforeMb} MB, then ${peakMb} MB at most`,
  );
}

async function isProvisioned(): Promise<boolean> {
  const apps = (await (await crash.client.call('GET', '/v1/apps')).json()) as App[];
  return apps.some(({ slug, status }) => slug === 'away' && status === 'active');
}

async function eventsInFiles(): Promise<number> {
  const [row] = await sql`
    SELECT coalesce(sum(rows), 0)::int AS rows FROM event_file_apps WHERE app_id = ${crash.appId}`;
  return row?.rows;
}

const killOurs = async (...names: string[]) => {
  for (const name of names) await instance.killChild(name);
};

test(`PostgreSQL hanging, then away for ${SECONDS} s under load: events are taken, and visible once it is back`, async () => {
  await until('events come in', () => sender.acknowledgedEvents > 1_000);
  await expectVisible(crash);
  const beforeMb = apiMb();

  servers.postgres.freeze();
  await pause(FROZEN_MS, 'the database is silent for a while');
  expect(sender.refusals).toBe(0);
  servers.postgres.thaw();
  await expectVisible(crash);

  await servers.postgres.kill();
  await expectTaken(expectUnavailable, beforeMb);

  // What a process took and left behind when it died is caught up with as well.
  await killOurs('api', 'compactor');
  const back = performance.now();
  await servers.postgres.start();
  await expectVisible(crash);
  console.log(`  visible ${Math.round(performance.now() - back)} ms after its start`);
});

test(`Temporal away for ${SECONDS} s under load: nothing is missing or late`, async () => {
  const { acknowledgedEvents } = sender;
  await until('events come in', () => sender.acknowledgedEvents > acknowledgedEvents + 1_000);
  await servers.temporal.kill();
  await saidWithin(crash.client, 'temporal', 'down');
  const made = await crash.client.call('POST', '/v1/apps', { slug: 'away', displayName: 'Away' });
  expect(made.status).toBe(201);
  await expectTaken(() => expectVisible(crash), apiMb());

  // Compaction goes on without it, also by processes that start while it is away.
  await killOurs('api', 'compactor', 'query');
  const taken = sender.acknowledgedEvents;
  await until('all that was taken is in files', async (saw) => {
    const stored = await eventsInFiles();
    saw(stored);
    return stored >= taken;
  });
  await expectVisible(crash);

  await servers.temporal.start();
  const back = performance.now();
  await saidWithin(crash.client, 'temporal', 'up');
  // Everybody finds it again within seconds, however long it was away.
  await until('the app made meanwhile is active', isProvisioned);
  const [files] = await sql`SELECT count(*)::int AS live FROM event_files WHERE state = 'live'`;
  console.log(
    `  an app made meanwhile is active ${Math.round(performance.now() - back)} ms after its ` +
      `start; ${files?.live} live files`,
  );
});

test('in the end each event is there once', async () => {
  sender.stop();
  const total = await sending;
  await expectExactlyOnce(instance, crash, total, { url: env.DATABASE_URL, env });
  console.log(`  ${report(crash, total)}`);
});
