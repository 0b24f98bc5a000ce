import { afterAll, expect, test } from 'bun:test';
import type { App } from '../../src/shared/app.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { expectExactlyOnce, expectVisible, report } from '../support/event-crash.ts';
import { AWAY_MS, MOST_MB, prepareEventOutage } from '../support/event-outage.ts';
import { until } from '../support/until.ts';

const { servers, env, instance, crash, lookOn } = await prepareEventOutage(2);
const { sender } = crash;
const sql = createSql(env.DATABASE_URL, { maxConnections: 1, applicationName: 'crash-test' });
afterAll(() => sql.end());

async function isProvisioned(): Promise<boolean> {
  const apps = (await (await crash.client.call('GET', '/v1/apps')).json()) as App[];
  return apps.some(({ slug, status }) => slug === 'away' && status === 'active');
}

async function eventsInFiles(): Promise<number> {
  const [row] = await sql`
    SELECT coalesce(sum(rows), 0)::int AS rows FROM event_file_apps WHERE app_id = ${crash.appId}`;
  return row?.rows;
}

test(`Temporal away for ${AWAY_MS / 1_000} s under load: nothing is missing or late, all are there once`, async () => {
  const sending = sender.run();
  await until('sender.acknowledgedEvents > 1_000', () => sender.acknowledgedEvents > 1_000);
  await servers.temporal.kill();
  const acknowledgedBefore = sender.acknowledgedEvents;
  const made = await crash.client.call('POST', '/v1/apps', { slug: 'away', displayName: 'Away' });
  expect(made.status).toBe(201);
  const peakMb = await lookOn(() => expectVisible(crash));
  expect(sender.refusals).toBe(0);
  const taken = sender.acknowledgedEvents - acknowledgedBefore;
  expect(taken).toBeGreaterThan(AWAY_MS / 100);
  expect(peakMb).toBeLessThan(MOST_MB);

  // Compaction goes on without it, also by processes that start while it is away.
  for (const name of ['api', 'compactor', 'query']) {
    process.kill(instance.children()[name] ?? 0, 'SIGKILL');
  }
  const { acknowledgedEvents } = sender;
  await until(
    '(await eventsInFiles()) >= acknowledgedEvents',
    async () => (await eventsInFiles()) >= acknowledgedEvents,
  );
  await expectVisible(crash);
  const [files] = await sql`
      SELECT count(*)::int AS live FROM event_files WHERE state = 'live'`;

  await servers.temporal.start();
  const back = performance.now();
  // Everybody finds it again within seconds, however long it was away.
  await until('the app made meanwhile is active', isProvisioned);
  const provisionedMs = performance.now() - back;
  sender.stop();
  const total = await sending;
  await expectExactlyOnce(instance, crash, total, { url: env.DATABASE_URL, env });
  console.log(
    `  ${taken} events taken meanwhile; memory of the API ${peakMb} MB at most; ` +
      `${files?.live} live files at the end; an app made meanwhile is active ` +
      `${Math.round(provisionedMs)} ms after the start of Temporal\n  ${report(crash, total)}`,
  );
});
