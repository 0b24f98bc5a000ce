import { afterAll, beforeAll, expect, test } from 'bun:test';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/shared/time.ts';
import { AlertWatch, type Fired } from '../support/alert-watch.ts';
import { DrillHost, inTurn } from '../support/drill-hosts.ts';
import {
  type EventCrash,
  prepareEventCrash,
  report,
  storedNumbers,
  untilCompacted,
} from '../support/event-crash.ts';
import { newDataDir } from '../support/instance.ts';
import { describeWhere } from '../support/left-out.ts';
import { BATCH_EVENTS } from '../support/numbered-events.ts';
import { type OwnServers, startOwnServers } from '../support/own-servers.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { isFullRun } from '../support/random.ts';
import { testS3 } from '../support/s3-server.ts';
import { startSignedWebhooks } from '../support/signed-webhooks.ts';
import { until } from '../support/until.ts';

const STEPS = 2;
const MINUTES = Number(process.env.TEST_DRILL_MINUTES ?? 30);
const STEP_MS = (MINUTES * MINUTE_MS) / STEPS;
/** Within which each alert comes. */
const ALERT_MS = 2 * MINUTE_MS;
const WEBHOOKS = 3;
/** Every 72 seconds in the place of every day. */
const BACKUP_EVERY_HOURS = '0.02';
const METRICS_TOKEN = 'a-token-for-metrics-0123';
/** Of the disk of whoever runs this. */
const NOT_OURS = new Set(['DiskNearlyFull']);

const program = Bun.which('prometheus');
const s3 = isFullRun && program ? await testS3() : null;

type Row = { step: string; fired: Fired[]; sinceMs: number; events: string; secrets: number };

const seconds = (ms: number) => (ms / SECOND_MS).toFixed(0);

describeWhere(
  s3 !== null,
  isFullRun ? 'Prometheus (Debian: apt install prometheus), and versitygw or Go' : 'TEST_FULL=1',
)('a drill of two hosts on a bucket, under load', () => {
  const ending: (() => unknown)[] = [];
  const hooks = startSignedWebhooks();
  const hosts: DrillHost[] = [];
  const rows: Row[] = [];
  let servers: OwnServers;
  let env: Record<string, string> & { DATABASE_URL: string };
  let crash: EventCrash;
  let sending: Promise<number>;
  let prometheus: Prometheus;
  let watch: AlertWatch;

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

  beforeAll(async () => {
    servers = await startOwnServers(newDataDir());
    ending.push(servers.postgres.kill, servers.temporal.kill, hooks.stop);
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

  /** The numbers that were answered by now. */
  const answered = () => {
    const numbers: number[] = [];
    for (const { first: from, acknowledgedAtMs } of crash.sender.batches) {
      if (acknowledgedAtMs === null) continue;
      for (let n = from; n < from + BATCH_EVENTS; n += 1) numbers.push(n);
    }
    return numbers;
  };

  /** Each of them is in the files once, and every secret opens. */
  const settled = async (step: string, fired: Fired[], sinceMs: number) => {
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
    await watch.untilGone(fired);
    for (const { atMs } of fired) expect(atMs - sinceMs).toBeLessThan(ALERT_MS);
    rows.push({ step, fired, sinceMs, events: `${numbers.length} / ${there}`, secrets });
    // The load goes on until the time of the step is over.
    const leftMs = STEP_MS - (Date.now() - sinceMs);
    if (leftMs > 0) await Bun.sleep(leftMs);
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
    await settled('Temporal lost', fired, sinceMs);
  });

  step('a host is lost with its disk: the other one has what it took', async () => {
    const sinceMs = Date.now();
    await second().lose();
    const fired = await watch.untilFired('HostDown', 1, sinceMs);
    expect(fired[0]?.labels.instance).toBe(`127.0.0.1:${second().port}`);
    await second().start(env);
    await settled('a host lost', fired, sinceMs);
  });

  step('in the end each event is there once, and no alert came but these', async () => {
    crash.sender.stop();
    const total = await sending;
    for (const host of hosts) await untilCompacted(host);
    const stored = storedNumbers(first(), env, total);
    expect(stored.size).toBe(total);
    expect([...stored.values()].filter((times) => times !== 1)).toEqual([]);
    expect(await crash.summary()).toMatchObject({ events: total });
    const expected = new Set(rows.flatMap(({ fired }) => fired));
    const others = watch.fired.filter((one) => !expected.has(one) && !NOT_OURS.has(one.alert));
    console.table(
      rows.map(({ step, fired, sinceMs, events, secrets }) => ({
        step,
        alert: fired[0]?.alert ?? 'none',
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
