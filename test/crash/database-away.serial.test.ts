import { afterAll, expect, test } from 'bun:test';
import {
  expectExactlyOnce,
  expectVisible,
  prepareEventCrash,
  report,
  untilCompacted,
} from '../support/event-crash.ts';
import { newDataDir, startInstance, until } from '../support/instance.ts';
import { residentMb } from '../support/memory.ts';
import { startOwnServers } from '../support/own-servers.ts';
import { isFullRun } from '../support/random.ts';

const AWAY_MS = isFullRun ? 600_000 : 8_000;
const FROZEN_MS = isFullRun ? 60_000 : 5_000;
const LOOK_EVERY_MS = isFullRun ? 10_000 : 1_000;
/** Far above what it takes, and far under what it would take to keep these events in memory. */
const MOST_MB = 400;

const servers = await startOwnServers(newDataDir());
const env = { ...servers.env, RATE_LIMIT_SCALE: '1000' };
const instance = await startInstance({ env });
afterAll(async () => {
  await instance.stop();
  await Promise.all([servers.postgres.kill(), servers.temporal.kill()]);
});
const crash = await prepareEventCrash(instance, { seed: 1, clients: 4, everyMs: 250, env });
const { sender } = crash;
const api = () => instance.children().api ?? 0;

/** Looks on while events come in; every one of them is taken. */
async function lookOn(): Promise<number> {
  let peakMb = 0;
  const end = performance.now() + AWAY_MS;
  while (performance.now() < end) {
    await Bun.sleep(LOOK_EVERY_MS);
    peakMb = Math.max(peakMb, residentMb(api()));
    const asked = await crash.client.once('GET', `/v1/apps/${crash.appId}/events/summary`);
    expect(asked.status).toBe(503);
  }
  return peakMb;
}

test(
  `PostgreSQL hanging, then away for ${AWAY_MS / 1_000} s under load: events are taken, all are there once`,
  async () => {
    const sending = sender.run();
    await until(() => sender.acknowledgedEvents > 1_000);
    await expectVisible(crash);
    const beforeMb = residentMb(api());

    servers.postgres.freeze();
    await Bun.sleep(FROZEN_MS);
    expect(sender.refusals).toBe(0);
    servers.postgres.thaw();
    const slowestFrozenMs = sender.slowestMs;
    await expectVisible(crash);

    const acknowledgedBefore = sender.acknowledgedEvents;
    await servers.postgres.kill();
    const peakMb = await lookOn();
    expect(sender.refusals).toBe(0);
    const taken = sender.acknowledgedEvents - acknowledgedBefore;
    expect(taken).toBeGreaterThan(AWAY_MS / 100);
    expect(peakMb).toBeLessThan(MOST_MB);
    const slowestMs = sender.slowestMs;

    // What a process took and left behind when it died is caught up with as well.
    process.kill(api(), 'SIGKILL');
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
  },
  AWAY_MS + 300_000,
);
