import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { createSql } from '../../src/storage/postgres.ts';
import { bootstrapClient } from '../support/crash-client.ts';
import { cuttableProxy } from '../support/cuttable-proxy.ts';
import { fakeClock, NO_FAKE_CLOCK } from '../support/fake-clock.ts';
import { isHealthy, newDataDir, startInstance } from '../support/instance.ts';
import { startOwnServers } from '../support/own-servers.ts';
import { isFullRun } from '../support/random.ts';
import { testS3 } from '../support/s3-server.ts';
import { smallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';
import { type Sign, watchService } from '../support/watchers.ts';
import { pause } from '../support/pause.ts';

/** At least so long is each thing away; in the short form until everybody has seen it. */
const AWAY_MS = isFullRun ? 60_000 : 0;
const SEEN_WITHIN_MS = 30_000;
/** A rule waits for a minute. */
const FIRES_WITHIN_MS = 120_000;
const WELL_WITHIN_MS = 60_000;
/** More than the API has connections. */
const ASKING = 60;
const HOUR_SECONDS = 3_600;
const SEND_EVERY_MS = 200;

type Trouble = Sign & {
  begin: () => unknown;
  end: () => unknown;
  /** An alert whose rule does not wait. */
  atOnce?: string;
};

const servers = await startOwnServers(newDataDir());
const { postgres, temporal } = servers;
const s3 = await testS3();
const bucket = s3 ? await cuttableProxy(s3.endpoint) : null;
const disk = smallDisk(1_024);
if (!disk) console.log('not run: what is said of a full disk (only root may mount one)');
const clock = fakeClock();
if (!clock) console.log(`not run: what is said of a wrong clock (${NO_FAKE_CLOCK})`);
const env = {
  ...servers.env,
  RATE_LIMIT_SCALE: '1000',
  DISK_FLOOR_MB: '64',
  ...(s3 &&
    bucket && {
      EVENTS_ACK: 'bucket',
      EVENTS_URL: 's3://events-bucket/said',
      S3_ENDPOINT: new URL(bucket.url).origin,
      S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    }),
};
const instance = await startInstance({
  env: { ...env, ...clock?.env },
  ...(disk && { dataDir: join(disk.dir, 'data') }),
});
afterAll(async () => {
  await instance.stop();
  await Promise.all([postgres.kill(), temporal.kill()]);
});
const client = bootstrapClient(instance, 'said', env);
const { look, isFiring } = await watchService(instance.url, client.apiKey);
const processes = instance.children();

async function publishableKey(): Promise<string> {
  const app = { slug: 'said', displayName: 'Said' };
  const { id }: any = await (await client.call('POST', '/v1/apps', app)).json();
  const made: any = await (await client.call('POST', `/v1/apps/${id}/keys`, {})).json();
  return made.secret;
}
const headers = { 'content-type': 'application/json', 'x-service-key': await publishableKey() };
const body = JSON.stringify({ events: [{ name: 'opened', anonymousId: 'somebody' }] });
const send = async (): Promise<number> => {
  const answer = await fetch(`${instance.url}/v1/events`, { method: 'POST', headers, body });
  return answer.status;
};

/** Nobody knows that events cannot be kept before one comes. */
function whileSending({ begin, end }: Pick<Trouble, 'begin' | 'end'>): Trouble {
  let isOver = false;
  let sending: Promise<unknown> = Promise.resolve();
  const keepSending = async () => {
    while (!isOver) {
      await send().catch(() => undefined);
      await pause(SEND_EVERY_MS, 'events at a steady rate');
    }
  };
  return {
    dependency: 'ingest',
    alert: 'EventsRefused',
    begin: async () => {
      await begin();
      sending = keepSending();
    },
    end: async () => {
      await end();
      isOver = true;
      await sending;
      await until('events are taken again', async (saw) => {
        const status = await send().catch(() => 0);
        saw(status);
        return status === 202;
      });
    },
  };
}

/** Every connection of the API waits for a table that somebody keeps to himself. */
function exhaustion(): Pick<Trouble, 'begin' | 'end'> {
  const sql = createSql(env.DATABASE_URL, { maxConnections: 1, applicationName: 'crash-test' });
  afterAll(() => sql.end());
  let isOver = false;
  let asking: Promise<unknown> = Promise.resolve();
  const ask = async () => {
    while (!isOver) await client.once('GET', '/v1/webhooks').catch(() => undefined);
  };
  return {
    begin: async () => {
      await sql`BEGIN`;
      await sql`LOCK TABLE webhooks IN ACCESS EXCLUSIVE MODE`;
      asking = Promise.all(Array.from({ length: ASKING }, ask));
    },
    end: async () => {
      isOver = true;
      await sql`ROLLBACK`;
      await asking;
    },
  };
}

const database = { dependency: 'postgres', alert: 'DependencyDown' };
const TROUBLES: Record<string, Trouble> = {
  'PostgreSQL paused': { ...database, begin: postgres.freeze, end: postgres.thaw },
  'Temporal gone': {
    dependency: 'temporal',
    alert: 'DependencyDown',
    begin: temporal.kill,
    end: temporal.start,
  },
  ...(bucket && {
    'bucket away': {
      ...whileSending({ begin: bucket.cut, end: bucket.mend }),
      // It stays for ten minutes: of the next one it would say nothing.
      atOnce: 'EventsTurnedAway',
    },
  }),
  ...(disk && { 'disk full': whileSending({ begin: disk.fill, end: disk.clear }) }),
  ...(clock && {
    'clock an hour back': {
      dependency: 'clock',
      alert: 'ClockWrong',
      begin: () => clock.set(-HOUR_SECONDS),
      end: () => clock.set(0),
    },
  }),
  ...(isFullRun && { 'pool exhausted': { ...database, ...exhaustion() } }),
};

/** When each watcher came to say so, or no longer, in milliseconds from now. */
async function timesUntil(sign: Sign, isSaid: boolean): Promise<Record<string, number>> {
  const began = performance.now();
  const times: Record<string, number> = {};
  await until(`everybody ${isSaid ? 'sees' : 'forgets'} ${sign.dependency}`, async (saw) => {
    const said = Object.entries(await look(sign));
    saw(said);
    const atMs = Math.round(performance.now() - began);
    for (const [name, says] of said) {
      if (says === isSaid) times[name] ??= atMs;
    }
    return said.every(([, says]) => says === isSaid);
  });
  return times;
}

/** Milliseconds from now; 0 where no Prometheus is. */
async function timeUntilFiring(sign: Sign): Promise<number> {
  const began = performance.now();
  await until(`${sign.alert} fires`, async (saw) => {
    const fires = await isFiring(sign);
    saw(fires);
    return fires !== false;
  });
  return Math.round(performance.now() - began);
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1);
const shown = (times: Record<string, number>) =>
  Object.entries(times).map(([name, ms]) => `${name} ${seconds(ms)}`);

test('while nothing is wrong nobody says so', async () => {
  for (const trouble of Object.values(TROUBLES)) await timesUntil(trouble, false);
});

test.each(Object.entries(TROUBLES))(
  '%s: status, metrics and alert say so, the process stays in service, and all is well after',
  async (name, trouble) => {
    const began = performance.now();
    await trouble.begin();
    const seen = await timesUntil(trouble, true);
    expect(await isHealthy(instance.url)).toBe(true);
    // Of the others the rule waits for a minute, as the full form does.
    const waiting = trouble.atOnce === undefined ? [] : [{ ...trouble, alert: trouble.atOnce }];
    for (const sign of [...waiting, ...(isFullRun ? [trouble] : [])]) await timeUntilFiring(sign);
    const firedMs = performance.now() - began;
    await pause(Math.max(0, AWAY_MS - (performance.now() - began)), 'the rest of the outage');
    expect(await isHealthy(instance.url)).toBe(true);
    await trouble.end();
    const well = await timesUntil(trouble, false);
    const fired = isFullRun || waiting.length > 0 ? `; firing after ${seconds(firedMs)}` : '';
    console.log(
      `  ${name}, seconds until seen: ${shown(seen)}${fired}; until well: ${shown(well)}`,
    );
    expect(await isHealthy(instance.url)).toBe(true);
    expect(instance.children()).toEqual(processes);
    expect((await client.once('GET', '/v1/apps')).status).toBe(200);
    if (!isFullRun) return;
    expect(Math.max(...Object.values(seen))).toBeLessThan(SEEN_WITHIN_MS);
    expect(firedMs).toBeLessThan(FIRES_WITHIN_MS);
    expect(Math.max(...Object.values(well))).toBeLessThan(WELL_WITHIN_MS);
  },
);
