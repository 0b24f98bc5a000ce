import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { readRunning } from '../../src/launcher/running.ts';
import { must } from '../../src/shared/assert.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { type EventCrash, expectExactlyOnce, prepareEventCrash } from '../support/event-crash.ts';
import { fakeClock, NO_FAKE_CLOCK } from '../support/fake-clock.ts';
import { type Instance, newDataDir, startInstance } from '../support/instance.ts';
import { describeFull } from '../support/left-out.ts';
import { ROWS } from '../support/outage-cells.ts';
import { probedRows, startOutside } from '../support/outage-rows.ts';
import { startOwnServers } from '../support/own-servers.ts';
import { isFullRun, randomFrom } from '../support/random.ts';
import { saidWithin } from '../support/said-within.ts';
import { smallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';
import { pause } from '../support/pause.ts';

const FULL_MS = Number(process.env.TEST_OUTAGE_SECONDS ?? 60) * 1_000;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const FILLED = 8;
const clock = isFullRun ? fakeClock() : null;
const disk = isFullRun ? smallDisk(1_024) : null;
const random = randomFrom(11);

/** A whole host, embedded databases included, with every kind of caller. */
async function start(options: { dataDir?: string; env: Record<string, string> }, seed: number) {
  const outside = await startOutside();
  afterAll(outside.stop);
  const env = { ...outside.env, RATE_LIMIT_SCALE: '1000', ...options.env };
  const instance = await startInstance({ ...options, env });
  afterAll(() => instance.stop());
  const crash = await prepareEventCrash(instance, { seed, clients: 4, everyMs: 250, env });
  const rows = await probedRows(instance.url, crash, outside);
  const settle = () => Promise.all(ROWS.map((row) => rows[row].settled()));
  await settle();
  return { instance, crash, rows, settle };
}

const grows = ({ sender }: EventCrash, by: number) => {
  const goal = sender.acknowledgedEvents + by;
  return until(`${by} more events`, (saw) => {
    saw(sender.acknowledgedEvents);
    return sender.acknowledgedEvents >= goal;
  });
};

/** By how many seconds the API and PostgreSQL are behind this process. */
async function secondsBehind({ funnel }: EventCrash, url: string): Promise<number[]> {
  const { computedAt } = await funnel();
  const sql = createSql(url, { maxConnections: 1, applicationName: 'crash-test' });
  const [row] = await sql<{ ms: number }[]>`
    SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`;
  await sql.end();
  return [Date.parse(computedAt), row?.ms ?? 0].map((ms) => Math.round((Date.now() - ms) / 1_000));
}

async function expectOnce(
  instance: Instance,
  crash: EventCrash,
  sending: Promise<number>,
  env: Record<string, string> = {},
) {
  crash.sender.stop();
  const url = env.DATABASE_URL ?? (await readRunning(instance.dataDir))?.env.DATABASE_URL ?? '';
  await expectExactlyOnce(instance, crash, await sending, { url, env });
}

describeFull(disk !== null, 'only root may mount one')('a disk that is full', () => {
  test(
    'of the databases and the log alike: events are refused, and all comes back with the room',
    async () => {
      const dataDir = join(disk?.dir ?? '', 'data');
      const { instance, crash, settle } = await start({ dataDir, env: { DISK_FLOOR_MB: '64' } }, 3);
      const sending = crash.sender.run();
      await grows(crash, 1_000);
      await disk?.fill();
      await until('events are refused', () => (crash.sender.answers.get(503) ?? 0) > 10);
      await pause(FULL_MS, 'the disk stays full for a while');
      await disk?.clear();
      const freedAt = performance.now();
      await grows(crash, 1_000);
      await settle();
      console.log(
        `  in good order ${Math.round(performance.now() - freedAt)} ms after there was room`,
      );
      await expectOnce(instance, crash, sending);
    },
    FULL_MS + 600_000,
  );
});

describeFull(disk !== null, 'only root may mount one')('a disk that is full', () => {
  test(`at ${FILLED} random moments loses nothing, and status says so within 30 s of each`, async () => {
    const dataDir = join(disk?.dir ?? '', 'random');
    const { instance, crash, settle } = await start({ dataDir, env: { DISK_FLOOR_MB: '64' } }, 9);
    const sending = crash.sender.run();
    for (let round = 0; round < FILLED; round += 1) {
      await grows(crash, 200 + Math.floor(random() * 2_000));
      await disk?.fill();
      await saidWithin(crash.client, 'ingest', 'down');
      await pause(random() * 10_000, 'full for some while');
      await disk?.clear();
      await saidWithin(crash.client, 'ingest', 'up');
      await settle();
    }
    await expectOnce(instance, crash, sending);
  }, 1_800_000);
});

describeFull(clock !== null, NO_FAKE_CLOCK)('the clock of our processes', () => {
  test('and of PostgreSQL goes back an hour, and a day both ways, and forth again under load: nothing is refused, lost or late', async () => {
    const { env: faked, set } = must(clock, 'the library that fakes it');
    const servers = await startOwnServers(newDataDir(), faked);
    afterAll(() => Promise.all([servers.postgres.kill(), servers.temporal.kill()]));
    const env = { ...servers.env, ...faked };
    const { instance, crash, rows, settle } = await start({ env }, 4);
    const sending = crash.sender.run();
    const jumps = [0, -HOUR_SECONDS, 0, -DAY_SECONDS, 0, DAY_SECONDS, 0];
    for (const seconds of jumps) {
      set(seconds);
      await until('the clocks of the service and of PostgreSQL say so', async (saw) => {
        const behind = await secondsBehind(crash, env.DATABASE_URL);
        saw(behind);
        return behind.every((one) => Math.abs(one + seconds) < HOUR_SECONDS / 2);
      });
      await grows(crash, 2_000);
      for (const row of ROWS) {
        const status = await rows[row].ask();
        expect({ seconds, row, isGood: status >= 200 && status < 300, status }).toMatchObject({
          isGood: true,
        });
      }
      // A summary ends with the day of the service: what came before the jump is of its tomorrow.
      if (Math.abs(seconds) < DAY_SECONDS) await settle();
    }
    await expectOnce(instance, crash, sending, servers.env);
  });
});
