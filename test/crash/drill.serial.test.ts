import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { must } from '../../src/shared/assert.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/shared/time.ts';
import { AlertWatch, type Fired } from '../support/alert-watch.ts';
import { DrillHost, inTurn } from '../support/drill-hosts.ts';
import {
  fetchBackup,
  keptLog,
  newestBackup,
  operate,
  restoreInPlace,
} from '../support/drill-operator.ts';
import {
  type EventCrash,
  prepareEventCrash,
  report,
  storedNumbers,
  untilCompacted,
} from '../support/event-crash.ts';
import { temporaryFolder } from '../support/events.ts';
import { HurriedWork } from '../support/hurried-work.ts';
import { newDataDir } from '../support/instance.ts';
import { describeFull } from '../support/left-out.ts';
import { BATCH_EVENTS } from '../support/numbered-events.ts';
import { type OwnServers, startOwnServers } from '../support/own-servers.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { isFullRun } from '../support/random.ts';
import { testS3 } from '../support/s3-server.ts';
import { startSignedWebhooks } from '../support/signed-webhooks.ts';
import { until } from '../support/until.ts';
import { pause } from '../support/pause.ts';

const STEPS = 5;
/** A number alone asks for the drill, too: 0 for as long as its steps take. */
const { TEST_DRILL_MINUTES } = process.env;
const isAsked = isFullRun || TEST_DRILL_MINUTES !== undefined;
const MINUTES = Number(TEST_DRILL_MINUTES ?? 30);
const STEP_MS = (MINUTES * MINUTE_MS) / STEPS;
/** Within which each alert comes. */
const ALERT_MS = 2 * MINUTE_MS;
const WEBHOOKS = 3;
/** Every 72 seconds in the place of every day. */
const BACKUP_EVERY_HOURS = '0.02';
const METRICS_TOKEN = 'a-token-for-metrics-0123';
const CRON_SECRET = 'only-for-the-drill-0123';
/** All hosts are stopped, and workers wait until those of the lost installation are forgotten. */
const WHILE_RESTORED = ['HostDown', 'DependencyDown', 'NoWorker'];
const RATES = 'Date,USD,GBP\n2026-11-20,1.1,0.85\n2026-11-19,1.1,0.85\n';
/** How much disk, and how much to do, the machine of whoever runs this has. */
const isOurs = ({ alert, labels }: Fired) =>
  !['DiskNearlyFull', 'QueriesWait'].includes(alert) &&
  !(alert === 'QueriesEnded' && labels.fault === 'timeout');

const program = Bun.which('prometheus');
const rates = join(temporaryFolder('rates'), 'rates.csv');
const s3 = isAsked && program ? await testS3() : null;

type Row = { step: string; fired: Fired[]; sinceMs: number; events: string; secrets: number };
/** Alerts that a step brings, and others that it may. */
type Brought = { fired: Fired[]; allowed?: readonly string[] };

const seconds = (ms: number) => (ms / SECOND_MS).toFixed(0);

describeFull(
  s3 !== null,
  'Prometheus (Debian: apt install prometheus), and versitygw or Go',
  isAsked,
)('a drill of two hosts on a bucket, under load', () => {
  const ending: (() => unknown)[] = [];
  const hooks = startSignedWebhooks();
  const hosts: DrillHost[] = [];
  const rows: Row[] = [];
  let servers: OwnServers;
  let env: OwnServers['env'];
  let crash: EventCrash;
  let sending: Promise<number>;
  let prometheus: Prometheus;
  let watch: AlertWatch;
  let hurried: HurriedWork;

  let failed: string | null = null;
  /** None goes on where one before it has failed. */
  const step = (title: string, work: () => Promise<void>) =>
    test(
      title,
      async () => {
        if (failed !== null) throw new Error(`Not tried, since this one failed: ${failed}`);
        failed = title;
        await work();
        failed = null;
      },
      60 * MINUTE_MS,
    );

  const [first, second] = [() => hosts[0]!, () => hosts[1]!];

  const ownServers = async () => {
    const started = await startOwnServers(newDataDir());
    ending.push(started.postgres.kill, started.temporal.kill);
    return started;
  };

  beforeAll(async () => {
    servers = await ownServers();
    ending.push(hooks.stop);
    await Bun.write(rates, RATES);
    env = {
      ...servers.env,
      EVENTS_URL: 's3://events-bucket/drill',
      EVENTS_ACK: 'bucket',
      S3_ENDPOINT: s3?.endpoint ?? '',
      S3_ACCESS_KEY_ID: s3?.credentials.accessKeyId ?? '',
      S3_SECRET_ACCESS_KEY: s3?.credentials.secretAccessKey ?? '',
      BACKUP_TO: 's3://events-bucket/backups',
      BACKUP_EVERY_HOURS,
      BACKUP_KEEP: '3',
      METRICS_TOKEN,
      CRON_SECRET,
      FX_RATES_URL: pathToFileURL(rates).href,
      EGRESS_ALLOW: hooks.address,
      RATE_LIMIT_SCALE: '1000',
    };
    hosts.push(new DrillHost(await freePort()), new DrillHost(await freePort()));
    for (const host of hosts) ending.push(() => host.stop());
    const [instance] = await Promise.all(hosts.map((host) => host.start(env)));
    crash = await prepareEventCrash(instance!, {
      seed: 30,
      clients: 4,
      everyMs: 400,
      url: inTurn(hosts),
      env,
    });
    await hooks.make(crash.client, WEBHOOKS);
    const messages = { alerts: true, subscribers: false, refunds: false, billingProblems: false };
    await crash.client.call('PUT', '/v1/digests/messages', { ...messages, quietHours: null });
    hurried = new HurriedWork(() => env, { url: inTurn(hosts), secret: CRON_SECRET });
    ending.push(() => hurried.stop());
    prometheus = await startPrometheus(
      program ?? '',
      hosts.map(({ port }) => `127.0.0.1:${port}`),
      METRICS_TOKEN,
    );
    ending.push(prometheus.stop);
    watch = new AlertWatch(prometheus);
    ending.push(() => watch.stop());
    sending = crash.sender.run();
  }, 10 * MINUTE_MS);
  afterAll(async () => {
    crash?.sender.stop();
    for (const end of ending.toReversed()) await end();
  }, 10 * MINUTE_MS);

  const restoreOn = async (host: DrillHost, logs: readonly string[]) => {
    const bucket = must(s3, 'the bucket');
    const dir = await fetchBackup(bucket, await newestBackup(bucket, 0));
    console.log(`  ${await restoreInPlace(host, env, { dir, logs })}`);
  };

  /** The numbers that were answered by now. */
  const answered = () => {
    const numbers: number[] = [];
    for (const { first: from, acknowledgedAtMs } of crash.sender.batches) {
      if (acknowledgedAtMs === null) continue;
      for (let n = from; n < from + BATCH_EVENTS; n += 1) numbers.push(n);
    }
    return numbers;
  };

  /** Each of them is in the files once, every secret opens, and hourly work goes on. */
  const settled = async (step: string, sinceMs: number, { fired, allowed = [] }: Brought) => {
    const numbers = answered();
    const total = Math.max(...numbers) + 1;
    const found = await until('what was answered is in files', (saw) => {
      const stored = storedNumbers(first(), env, total);
      const lacking = numbers.filter((n) => !stored.has(n)).length;
      saw(lacking);
      return lacking === 0 ? stored : null;
    });
    expect([...found.values()].filter((times) => times !== 1)).toEqual([]);
    const there = numbers.filter((n) => found.has(n)).length;
    const secrets = await hooks.opened(crash.client);
    await hurried.untilDone();
    const all = watch.fired.filter((one) => one.atMs >= sinceMs && isOurs(one));
    await watch.untilGone(all);
    const isUnexpected = (one: Fired) => !fired.includes(one) && !allowed.includes(one.alert);
    expect(all.filter(isUnexpected)).toEqual([]);
    for (const { atMs } of fired) expect(atMs - sinceMs).toBeLessThan(ALERT_MS);
    const events = `${numbers.length} / ${there}`;
    rows.push({ step, fired: all, sinceMs, events, secrets });
    // The load goes on until the time of the step is over.
    const leftMs = STEP_MS - (Date.now() - sinceMs);
    if (leftMs > 0) await pause(leftMs, 'the load goes on for the whole step');
  };

  step('Temporal is lost with its database: runs go on in an empty one', async () => {
    const sinceMs = Date.now();
    await servers.temporal.lose();
    const body = { slug: 'meanwhile', displayName: 'Meanwhile' };
    expect((await crash.client.call('POST', '/v1/apps', body)).status).toBe(201);
    const fired = await watch.untilFired('DependencyDown', hosts.length, sinceMs);
    expect(fired.map(({ labels }) => labels.dependency)).toEqual(hosts.map(() => 'temporal'));
    await servers.temporal.start();
    await until('the app made meanwhile is active', async (saw) => {
      const apps: any = await (await crash.client.call('GET', '/v1/apps')).json();
      saw(apps.map(({ status }: { status: string }) => status));
      return apps.every(({ status }: { status: string }) => status === 'active');
    });
    await settled('Temporal lost', sinceMs, { fired });
  });

  step('a host is lost with its disk: the other one has what it took', async () => {
    const sinceMs = Date.now();
    await second().lose();
    const fired = await watch.untilFired('HostDown', 1, sinceMs);
    expect(fired[0]?.labels.instance).toBe(`127.0.0.1:${second().port}`);
    await second().start(env);
    await settled('a host lost', sinceMs, { fired });
  });

  step('the database is lost: a backup of before and the files of now have all of it', async () => {
    await newestBackup(must(s3, 'the bucket'), Date.now());
    const sinceMs = Date.now();
    await servers.postgres.lose();
    const fired = await watch.untilFired('DependencyDown', hosts.length, sinceMs);
    expect(fired.map(({ labels }) => labels.dependency)).toEqual(hosts.map(() => 'postgres'));
    for (const host of hosts) await host.stop();
    const logs = [await keptLog(first()), await keptLog(second())];
    await servers.postgres.start();
    await restoreOn(first(), logs.slice(0, 1));
    for (const log of logs.slice(1))
      await cp(log, join(second().dataDir, 'log'), { recursive: true });
    for (const host of hosts) await host.start(env);
    await settled('the database lost', sinceMs, { fired, allowed: WHILE_RESTORED });
  });

  step('the master key changes: new and old, sealed anew, then the new one alone', async () => {
    const sinceMs = Date.now();
    const { SECRETS_KEY: old = '' } = env;
    const key = Buffer.alloc(32, 6).toString('base64');
    const restartWith = async (keys: string) => {
      env = { ...env, SECRETS_KEY: keys };
      for (const host of hosts) {
        await host.stop();
        await host.start(env);
      }
    };
    await restartWith(`${key},${old}`);
    const said = await operate(['secrets', 'rotate'], { DATA_DIR: first().dataDir });
    expect(said).toMatch(new RegExp(`^${WEBHOOKS} secrets sealed anew, 0 were already`));
    expect(said).toContain('can be dropped from SECRETS_KEY on every host');
    await restartWith(key);
    await settled('the master key changed', sinceMs, { fired: [] });
  });

  step('all of it is lost but the bucket: restored elsewhere, under the new key', async () => {
    await newestBackup(must(s3, 'the bucket'), Date.now());
    const sinceMs = Date.now();
    for (const host of hosts) await host.lose();
    await Promise.all([servers.postgres.lose(), servers.temporal.lose()]);
    const fired = await watch.untilFired('HostDown', hosts.length, sinceMs);
    servers = await ownServers();
    env = { ...env, ...servers.env, SECRETS_KEY: env.SECRETS_KEY ?? '' };
    const third = new DrillHost(await freePort());
    ending.push(() => third.stop());
    await restoreOn(third, []);
    await third.start(env);
    const lost = hosts.splice(0, hosts.length, third);
    await until('events come in elsewhere', (saw) => {
      const acknowledged = crash.sender.batches.filter(
        ({ sentAtMs, acknowledgedAtMs }) => acknowledgedAtMs !== null && sentAtMs > sinceMs,
      );
      saw(acknowledged.length);
      return acknowledged.length > 10;
    });
    // At the addresses of those that were lost, so that Prometheus sees hosts there again.
    for (const host of lost) await host.start(env);
    hosts.splice(0, hosts.length, ...lost, third);
    await settled('restored elsewhere', sinceMs, { fired, allowed: WHILE_RESTORED });
  });

  step('in the end each event is there once, and no alert came but these', async () => {
    crash.sender.stop();
    const total = await sending;
    for (const host of hosts) await untilCompacted(host);
    const stored = storedNumbers(first(), env, total);
    expect(stored.size).toBe(total);
    expect([...stored.values()].filter((times) => times !== 1)).toEqual([]);
    expect(await crash.summary()).toMatchObject({ events: total });
    const expected = new Set(rows.flatMap(({ fired: ofStep }) => ofStep));
    const others = watch.fired.filter((one) => !expected.has(one) && isOurs(one));
    console.table(
      rows.map(({ step, fired, sinceMs, events, secrets }) => ({
        step,
        alerts: [...new Set(fired.map(({ alert }) => alert))].join(', ') || 'none',
        'fired after s': fired.map(({ atMs }) => seconds(atMs - sinceMs)).join(', '),
        'went after s': fired.map(({ wentMs }) => seconds((wentMs ?? 0) - sinceMs)).join(', '),
        'events answered / found': events,
        'secrets opened': secrets,
      })),
    );
    console.log(`  ${report(crash, total)}`);
    expect(others).toEqual([]);
  });
});
