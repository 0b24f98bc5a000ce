import { expect, test } from 'bun:test';
import {
  expectExactlyOnce,
  expectVisible,
  report,
  untilCompacted,
} from '../support/event-crash.ts';
import { AWAY_MS, MOST_MB, prepareEventOutage } from '../support/event-outage.ts';
import { isFullRun } from '../support/random.ts';
import { until } from '../support/until.ts';

const FROZEN_MS = isFullRun ? 60_000 : 5_000;

const { servers, env, instance, crash, apiMb, lookOn } = await prepareEventOutage(1);
const { sender } = crash;

/** What needs the database says so. */
async function expectUnavailable(): Promise<void> {
  const asked = await crash.client.once('GET', `/v1/apps/${crash.appId}/events/summary`);
  expect(asked.status).toBe(503);
}

test(`PostgreSQL hanging, then away for ${AWAY_MS / 1_000} s under load: events are taken, all are there once`, async () => {
  const sending = sender.run();
  await until('sender.acknowledgedEvents > 1_000', () => sender.acknowledgedEvents > 1_000);
  await expectVisible(crash);
  const beforeMb = apiMb();

  servers.postgres.freeze();
  await Bun.sleep(FROZEN_MS);
  expect(sender.refusals).toBe(0);
  servers.postgres.thaw();
  const slowestFrozenMs = sender.slowestMs;
  await expectVisible(crash);

  const acknowledgedBefore = sender.acknowledgedEvents;
  await servers.postgres.kill();
  const peakMb = await lookOn(expectUnavailable);
  expect(sender.refusals).toBe(0);
  const taken = sender.acknowledgedEvents - acknowledgedBefore;
  expect(taken).toBeGreaterThan(AWAY_MS / 100);
  expect(peakMb).toBeLessThan(MOST_MB);
  const slowestMs = sender.slowestMs;

  // What a process took and left behind when it died is caught up with as well.
  process.kill(instance.children().api ?? 0, 'SIGKILL');
  process.kill(instance.children().compactor ?? 0, 'SIGKILL');
  const back = performance.now();
  await servers.postgres.start();
  await expectVisible(crash);
  const visibleMs = performance.now() - back;
  sender.stop();
  const total = await sending;
  await untilCompacted(instance);
  const compactedMs = performance.now() - back;
  await expectExactlyOnce(instance, crash, total, { url: env.DATABASE_URL, env });
  console.log(
    `  ${taken} events taken meanwhile, slowest 202 ${Math.round(slowestMs)} ms ` +
      `(${Math.round(slowestFrozenMs)} ms while it hung); memory of the API ${beforeMb} MB, then ${peakMb} MB at most; visible ${Math.round(visibleMs)} ms after ` +
      `the start of PostgreSQL, in files after ${Math.round(compactedMs)} ms\n` +
      `  ${report(crash, total)}`,
  );
});
