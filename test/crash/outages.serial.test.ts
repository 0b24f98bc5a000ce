import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { cuttableProxy } from '../support/cuttable-proxy.ts';
import {
  type EventCrash,
  expectExactlyOnce,
  prepareEventCrash,
  report,
} from '../support/event-crash.ts';
import { type Instance, newDataDir, startInstance } from '../support/instance.ts';
import { describeFull } from '../support/left-out.ts';
import { AWAY, type Away, CELLS, type Cell, ROWS, type Row } from '../support/outage-cells.ts';
import { type OutageRows, probedRows, startOutside } from '../support/outage-rows.ts';
import { type OwnServers, startOwnServers } from '../support/own-servers.ts';
import { isFullRun } from '../support/random.ts';
import { testS3 } from '../support/s3-server.ts';
import { until } from '../support/until.ts';
import { pause } from '../support/pause.ts';

/** Ten minutes each under TEST_FULL; `TEST_OUTAGE_SECONDS` for others. */
const AWAY_MS = Number(process.env.TEST_OUTAGE_SECONDS ?? 600) * 1_000;
/** Of one dependency only, for a run by hand. */
const ONLY = process.env.TEST_OUTAGE_OF;
const ROUNDS = 6;
const EVENTS_FIRST = 1_000;

const s3 = isFullRun ? await testS3() : null;
const proxy = s3 ? await cuttableProxy(s3.endpoint) : null;
const redisServer = Bun.which('redis-server') ?? Bun.which('valkey-server');
if (isFullRun && !redisServer)
  console.log('not run: without Redis (Debian: apt install redis-server)');

/** What is taken away, and how: two that refuse, one that is cut off, one that hangs. */
type Dependency = { take: () => Promise<void> | void; giveBack: () => Promise<void> | void };

type Seen = { statuses: Set<number>; backMs: number };

const wanted = AWAY.filter((away) => ONLY === undefined || away === ONLY).filter(
  (away) => (away !== 'the bucket' || s3) && (away !== 'Redis' || redisServer),
);

/** The statuses that a cell allows, each at least once. */
function expectCell(cell: Cell, statuses: Set<number>): void {
  const seen = [...statuses];
  const isGood = (status: number) => status >= 200 && status < 300;
  expect({ cell, seen }).toEqual({
    cell,
    seen: seen.filter((status) =>
      cell === '503' ? status === 503 || status === 0 : isGood(status),
    ),
  });
  expect(seen.length).toBeGreaterThan(0);
}

describeFull(wanted.length > 0, 'nothing of TEST_OUTAGE_OF can be taken away here')(
  `away for ${AWAY_MS / 1_000} s under load`,
  () => {
    const seen = new Map<string, Seen>();
    const ending: (() => unknown)[] = [];
    let servers: OwnServers;
    let instance: Instance;
    let crash: EventCrash;
    let rows: OutageRows;
    let env: Record<string, string> & { DATABASE_URL: string };
    let sending: Promise<number>;
    const dependencies = new Map<Away, Dependency>();

    beforeAll(async () => {
      servers = await startOwnServers(newDataDir());
      const { postgres, temporal } = servers;
      ending.push(() => Promise.all([postgres.kill(), temporal.kill()]));
      dependencies.set('PostgreSQL', { take: postgres.kill, giveBack: postgres.start });
      dependencies.set('Temporal', { take: temporal.kill, giveBack: temporal.start });
      const outside = await startOutside();
      ending.push(outside.stop);
      env = { ...servers.env, ...outside.env, RATE_LIMIT_SCALE: '1000' };
      if (s3 && proxy) {
        dependencies.set('the bucket', { take: proxy.cut, giveBack: proxy.mend });
        Object.assign(env, {
          EVENTS_URL: 's3://events-bucket/outages',
          S3_ENDPOINT: new URL(proxy.url).origin,
          S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
          S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
        });
      }
      if (redisServer) {
        const port = await freePort();
        const words = [
          '--port',
          `${port}`,
          '--save',
          '',
          '--dir',
          newDataDir().replace(/\/data$/, ''),
        ];
        const redis = Bun.spawn([redisServer, ...words], { stdout: 'ignore' });
        ending.push(() => redis.kill('SIGKILL'));
        dependencies.set('Redis', {
          take: () => redis.kill('SIGSTOP'),
          giveBack: () => redis.kill('SIGCONT'),
        });
        env.REDIS_URL = `redis://127.0.0.1:${port}`;
      }
      instance = await startInstance({ env });
      ending.push(() => instance.stop());
      crash = await prepareEventCrash(instance, { seed: 19, clients: 4, everyMs: 250, env });
      rows = await probedRows(instance.url, crash, outside);
      for (const row of ROWS) await rows[row].settled();
      sending = crash.sender.run();
    }, 1_200_000);
    afterAll(async () => {
      crash?.sender.stop();
      for (const end of ending.toReversed()) await end();
    });

    const look = async (away: Away) => {
      for (const row of ROWS) {
        const status = await rows[row].ask();
        seen.get(`${away} ${row}`)?.statuses.add(status);
      }
    };

    /** Every row in good order again, each with the time that it took since everything was there. */
    const settle = (away: Away, backAt: number) =>
      Promise.all(
        ROWS.map(async (row) => {
          await rows[row].settled();
          const found = seen.get(`${away} ${row}`);
          if (found) found.backMs = Math.round(performance.now() - backAt);
        }),
      );

    describe.each(wanted)('%s away', (away) => {
      beforeAll(async () => {
        const { acknowledgedEvents } = crash.sender;
        await until(
          'events come in',
          () => crash.sender.acknowledgedEvents > acknowledgedEvents + EVENTS_FIRST,
        );
        for (const row of ROWS) seen.set(`${away} ${row}`, { statuses: new Set(), backMs: -1 });
        await dependencies.get(away)?.take();
        const end = performance.now() + AWAY_MS;
        do {
          await look(away);
          await pause(AWAY_MS / ROUNDS, 'looks spread over the outage');
        } while (performance.now() < end);
        const backAt = performance.now();
        await dependencies.get(away)?.giveBack();
        await settle(away, backAt);
        const took = ROWS.map((row) => `${row} ${seen.get(`${away} ${row}`)?.backMs}`);
        console.log(`  ${away}, in good order again after so many ms: ${took.join(', ')}`);
      }, AWAY_MS + 600_000);

      test.each(ROWS.map((row): [Row, Cell] => [row, CELLS[away][row]]))(
        '%s: %s, and afterwards in good order by itself',
        (row, cell) => {
          const found = seen.get(`${away} ${row}`);
          expectCell(cell, found?.statuses ?? new Set());
          expect(found?.backMs).toBeGreaterThanOrEqual(0);
        },
      );
    });

    test('every event that was acknowledged is there once', async () => {
      crash.sender.stop();
      const total = await sending;
      await expectExactlyOnce(instance, crash, total, { url: env.DATABASE_URL, env });
      console.log(`  ${report(crash, total)}`);
    }, 1_200_000);
  },
);
