import { afterAll, describe, expect, setSystemTime, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createActivities } from '../../../activities/index.ts';
import { compactAll } from '../../../src/event-store/compaction/loop.ts';
import { openCompactor } from '../../../src/event-store/parquet/compactor.ts';
import { lakeRounds } from '../../../src/lake/rounds.ts';
import { makeDueBackup } from '../../../src/modules/backup/index.ts';
import { querySocket } from '../../../src/query/protocol.ts';
import { WorkNotes } from '../../../src/modules/system/index.ts';
import { startQueries } from '../../../src/query/start.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/shared/time.ts';
import { makePrivateFolder } from '../../../src/storage/files.ts';
import { createSecrets } from '../../../src/storage/secrets/secrets.ts';
import { eventMaintenanceContract } from '../../../src/temporal/contracts/events.ts';
import { cuttableProxy } from '../../support/cuttable-proxy.ts';
import { temporaryFolder } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, startPurchaseService } from '../../support/purchase-service.ts';
import {
  createTestApp,
  createTestOrg,
  type ServiceOptions,
  startTestService,
  type TestService,
} from '../../support/service.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { ROOT } from '../../support/sources.ts';
import { testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { runTestWorker } from '../../support/worker.ts';

/** Of what a service that a test has broken says at `/metrics`, minute after minute. */
type Scrapes = string[];

const token = 'a-token-for-metrics-0123';
const temporal = await testTemporal();
const database = await testDatabase();

const start = (options: ServiceOptions = {}, on = database) =>
  startTestService(on, { temporal, ...options, env: { METRICS_TOKEN: token, ...options.env } });
const healthy = await start({ env: { DISK_FLOOR_MB: '1' } });
const queries = await startQueries(healthy.deps, 0);
afterAll(() => queries.stop());
const quietWorker = await runTestWorker(
  healthy.deps,
  temporal,
  createActivities(healthy.deps, []),
  ['main'],
);
afterAll(() => quietWorker.stop());
const org = await createTestOrg(healthy);
const EVENT = { name: 'opened', anonymousId: 'somebody' };

async function scrape({ call }: TestService): Promise<string> {
  const answer = await call('/metrics', { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  return `${answer.text}\nup{job="control-plane",instance="here"} 1\n`;
}

/** Until a scrape says so: a probe of what hangs takes its time. */
const scrapeUntil = (service: TestService, said: RegExp) =>
  until(`${said} at /metrics`, async (saw) => {
    const text = await scrape(service);
    saw(text.match(new RegExp(said.source.split(' ')[0] ?? '', 'm'))?.[0]);
    return said.test(text) ? text : null;
  });
const isDown = (name: string) =>
  new RegExp(`^dependency_up\\{dependency="${name}"[^}]*\\} 0$`, 'm');

async function send(service: TestService, device: Record<string, string>, status: number) {
  const body = { events: [EVENT] };
  const answer = await service.call('/v1/events', { headers: device, body });
  expect(answer.status).toBe(status);
}

/** Every file of its log was last written so long ago. */
async function ageLog({ deps }: TestService, ms: number): Promise<void> {
  const { logDir } = deps.config.events;
  const then = new Date(Date.now() - ms);
  for (const name of await readdir(logDir)) await utimes(join(logDir, name), then, then);
}

const disk = smallDisk(48);
if (!disk) console.log('not run: alerts of a full disk (only root may mount one)');

/** The disk of the log is small, then full. */
async function fullDisk(): Promise<Scrapes> {
  const service = await start({ env: { DATA_DIR: disk?.dir ?? '', DISK_FLOOR_MB: '1' } });
  const { device } = await createTestApp(service, org.orgId);
  await send(service, device, 202);
  const before = await scrape(service);
  await disk?.fill();
  await until('batches are refused', async () => {
    const answer = await service.call('/v1/events', { headers: device, body: { events: [EVENT] } });
    return answer.status === 503;
  });
  return [before, await scrapeUntil(service, isDown('ingest'))];
}

const away = {
  postgres: async () => {
    const proxy = await cuttableProxy(database.url);
    const env = { LAKE: 'on', BACKUP_TO: pathToFileURL(temporaryFolder('shelf')).href };
    const service = await start({ env }, { ...database, url: proxy.url });
    const before = await scrape(service);
    proxy.cut();
    return [before, await scrapeUntil(service, isDown('postgres'))];
  },
  temporal: async () => {
    const proxy = await cuttableProxy(`http://${temporal.address}`);
    const service = await start({ temporal: { ...temporal, address: new URL(proxy.url).host } });
    const before = await scrape(service);
    proxy.cut();
    return [before, await scrapeUntil(service, isDown('temporal'))];
  },
  queries: async () => {
    const service = await start();
    const answering = await startQueries(service.deps, 0);
    const before = await scrape(service);
    await answering.stop();
    return [before, await scrapeUntil(service, isDown('queries'))];
  },
  compaction: async () => {
    const service = await start({ env: { DISK_FLOOR_MB: '1' } });
    const { device } = await createTestApp(service, org.orgId);
    await send(service, device, 202);
    const before = await scrape(service);
    await ageLog(service, HOUR_MS);
    return [before, await scrapeUntil(service, isDown('compaction'))];
  },
} satisfies Record<string, () => Promise<Scrapes>>;

async function ownApp(service: TestService) {
  const { orgId, key } = await createTestOrg(service);
  const { appId } = await createTestApp(service, orgId);
  return { key, appId };
}

/** In place of the query process of a service. */
function serveSocket({ deps }: TestService, answer: () => Response | Promise<Response>) {
  const { runDir } = deps.config;
  makePrivateFolder(runDir);
  const server = Bun.serve({
    unix: querySocket(runDir, 0),
    fetch: (request, own) => {
      // One that hangs keeps its connection.
      own.timeout(request, 0);
      return answer();
    },
  });
  return { stop: () => void server.stop(true) };
}

/** What is broken so that each alert fires; time that would have to pass is set back instead. */
const CAUSES: Record<string, () => Promise<Scrapes>> = {
  EventsRefused: fullDisk,
  EventsTurnedAway: fullDisk,
  DiskNearlyFull: fullDisk,
  CompactionStuck: async () => {
    const own = await testDatabase();
    const service = await start({ env: { DISK_FLOOR_MB: '1' } }, own);
    const { device } = await createTestApp(service, (await createTestOrg(service)).orgId);
    const compactor = await openCompactor(service.deps);
    await send(service, device, 202);
    await until('the first is in a file', async () => (await compactAll(compactor)) > 0);
    compactor.connection.closeSync();
    await own.sql`UPDATE event_segments SET compacted_at = compacted_at - interval '20 minutes'`;
    const grown: Scrapes = [];
    for (let minute = 0; minute < 3; minute += 1) {
      await send(service, device, 202);
      grown.push(await scrape(service));
    }
    return grown;
  },
  LogNotInBucket: async () => {
    const env = {
      EVENTS_URL: 's3://nowhere/events',
      S3_ENDPOINT: 'http://127.0.0.1:1',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      DISK_FLOOR_MB: '1',
    };
    const service = await start({ env });
    const { device } = await createTestApp(service, org.orgId);
    const before = await scrape(service);
    await send(service, device, 202);
    await ageLog(service, 2 * MINUTE_MS);
    return [before, await scrape(service)];
  },
  BackupsOverdue: async () => {
    const shelf = join(temporaryFolder('shelf'), 'in-the-way');
    await writeFile(shelf, 'a file where the folder should be');
    let now = Date.now();
    const service = await start({
      env: { BACKUP_TO: pathToFileURL(shelf).href },
      with: () => ({ clock: () => new Date(now) }),
    });
    const before = await scrape(service);
    expect(await makeDueBackup({ deps: service.deps, requestId: 'test' })).toBe('failed');
    now += 48 * HOUR_MS;
    return [before, await scrapeUntil(service, isDown('backups'))];
  },
  LakeNotPublished: async () => {
    const own = await testDatabase();
    const service = await start({ env: { LAKE: 'on' } }, own);
    const before = await scrape(service);
    await lakeRounds(service.deps)();
    await own.sql`UPDATE lake_publisher SET published_at = published_at - interval '20 minutes'`;
    const after = await scrapeUntil(service, isDown('lake'));
    return [
      before,
      after,
      await scrapeUntil(service, /^lake_publication_age_seconds\S* 1[2-9]\d\d/m),
    ];
  },
  MaintenanceWaits: async () => {
    const service = await start();
    const before = await scrape(service);
    const activities = createActivities(service.deps, []);
    const worker = await runTestWorker(service.deps, temporal, activities, ['main']);
    await service.deps.temporal.ensure(eventMaintenanceContract, {});
    const after = await scrapeUntil(service, isDown('maintenance'));
    await service.deps.temporal.client.workflow
      .getHandle(eventMaintenanceContract.workflowId({}))
      .terminate();
    await worker.stop();
    return [before, after];
  },
  WorkWaits: async () => {
    const service = await start({}, await testDatabase());
    const before = await scrape(service);
    await new WorkNotes(service.deps).note('writeDigest', new Error('no query process'));
    await service.deps.sql`UPDATE work_kinds SET failing_since = now() - interval '1 minute'`;
    return [before, await scrapeUntil(service, isDown('work'))];
  },
  RunsNotStarted: async () => {
    const own = await testDatabase();
    // Nobody answers where Temporal should be.
    const service = await startTestService(own, { env: { METRICS_TOKEN: token } });
    const { key } = await createTestOrg(service);
    const before = await scrape(service);
    const body = { slug: 'waits', displayName: 'Waits' };
    expect((await service.call('/v1/apps', { headers: key, body })).status).toBe(201);
    await own.sql`UPDATE apps SET created_at = created_at - interval '10 minutes'`;
    return [before, await scrapeUntil(service, /^outbox_oldest_seconds\S* 6\d\d/m)];
  },
  PurchasesNotApplied: async () => {
    const service = await startPurchaseService(await testDatabase(), {
      env: { METRICS_TOKEN: token },
    });
    const app = await service.app();
    const before = await scrape(service);
    const bought = buy(app, service.clock.now - HOUR_MS);
    const [told] = bought.told;
    if (!told) throw new Error('The store tells nothing of a purchase.');
    const signedPayload = service.signed(bought, told, app);
    const answer = await service.call('/v1/purchases/notifications', { body: { signedPayload } });
    expect(answer.status).toBe(200);
    return [before, await scrapeUntil(service, /^purchase_notifications_unapplied\S* 1$/m)];
  },
  DeliveriesGivenUp: async () => {
    const service = await start({ env: { EGRESS_ALLOW: '127.0.0.1:1' } });
    const owner = await createTestOrg(service);
    const headers = owner.key;
    const body = { url: 'http://127.0.0.1:1/', events: ['app.created'] };
    const made = await service.call('/v1/webhooks', { headers, body });
    expect(made.status).toBe(201);
    const before = await scrape(service);
    const path = `/v1/webhooks/${made.body.webhook.id}/test`;
    expect((await service.call(path, { headers, body: {} })).status).toBe(202);
    // The worker has no exception for this address, and gives up at once.
    return [before, await scrapeUntil(service, /^webhook_deliveries_failed\S* [1-9]/m)];
  },
  HostDown: async () => {
    const up = (value: number) => `up{job="control-plane",instance="lost"} ${value}\n`;
    return [up(1), up(0)];
  },
  NoWorker: async () => {
    // Nobody answers where Temporal should be, and so nobody takes runs from it.
    const service = await startTestService(database, { env: { METRICS_TOKEN: token } });
    return [await scrapeUntil(service, /^workers_polling\S* 0$/m)];
  },
  SecretsSealed: async () => {
    const own = await testDatabase();
    const service = await start({}, own);
    const { orgId } = await createTestOrg(service);
    const before = await scrape(service);
    const lost = createSecrets([Buffer.alloc(32, 7).toString('base64')]);
    const sealed = lost.seal({ orgId, purpose: 'webhook' }, 'x');
    await own.sql`
      INSERT INTO webhooks (webhook_id, org_id, url, events, sealed_secret, created_at)
      VALUES ('whk_lost', ${orgId}, 'https://example.com', '{}', ${sealed}, now())`;
    return [before, await scrapeUntil(service, isDown('secrets'))];
  },
  CatalogueBehind: async () => {
    const own = await testDatabase();
    const service = await start({}, own);
    const before = await scrape(service);
    await own.sql`UPDATE installation SET commits_lost_at = now()`;
    return [before, await scrapeUntil(service, isDown('catalogue'))];
  },
  FilesDamaged: async () => {
    const own = await testDatabase();
    const service = await start({}, own);
    const before = await scrape(service);
    await own.sql`INSERT INTO event_sums (path, bytes, sums, damaged_at, fault)
      VALUES ('events/level0/one.parquet', 1, '', now(), 'other content')`;
    return [before, await scrapeUntil(service, isDown('files'))];
  },
  ClockWrong: async () => {
    const service = await start();
    const before = await scrape(service);
    // Of this process alone: PostgreSQL is another.
    setSystemTime(new Date(Date.now() - HOUR_MS));
    try {
      return [before, await scrapeUntil(service, isDown('clock'))];
    } finally {
      setSystemTime();
    }
  },
  LogDamaged: async () => {
    const service = await start();
    const before = await scrape(service);
    const { logDir } = service.deps.config.events;
    await mkdir(logDir, { recursive: true });
    await writeFile(join(logDir, 'owner.00000001.log.12.corrupt'), 'torn');
    return [before, await scrape(service)];
  },
  RunsFailed: async () => {
    const service = await start();
    const before = await scrapeUntil(service, /^workflows_failed\S* 0$/m);
    const { workflow } = service.deps.temporal.client;
    await workflow
      .execute('nobody', {
        taskQueue: 'nobody',
        workflowId: 'times-out',
        workflowExecutionTimeout: '1 second',
      })
      .catch(() => undefined);
    return [before, await scrapeUntil(service, /^workflows_failed\S* 1$/m)];
  },
  StoreBehind: async () => {
    const own = await testDatabase();
    const service = await start({}, own);
    const { orgId } = await createTestOrg(service);
    const before = await scrape(service);
    await own.sql`
      INSERT INTO store_connections
        (org_id, connection_id, issuer_id, key_id, vendor_number, sealed_key, status, connected_at)
      VALUES (${orgId}, 'con_behind', 'i', 'k', '8', 'v1.none.x', 'connected', now() - interval '9 days')`;
    const behind = await scrapeUntil(service, /^store_collection_days_behind\S* 9/m);
    await own.sql`UPDATE store_connections SET connected_at = now()`;
    await own.sql`
      INSERT INTO google_play_accounts (org_id, bucket, client_email, private_key_id, sealed_key,
        status, connected_at, last_verified_at, read_at)
      VALUES (${orgId}, 'b', 'e', 'k', 'v1.none.x', 'connected', now(), now() - interval '8 days',
        now())`;
    await scrapeUntil(service, /^store_collection_days_behind\S* 8/m);
    return [before, behind];
  },
  QueriesEnded: async () => {
    const service = await start();
    const { key, appId } = await ownApp(service);
    const before = await scrape(service);
    const dying = serveSocket(service, () => new Response('not an ans'));
    const answer = await service.call(`/v1/apps/${appId}/events/summary`, { headers: key });
    expect(answer.status).toBe(503);
    dying.stop();
    return [before, await scrape(service)];
  },
  FiguresIncomplete: async () => {
    const service = await start();
    const { key, appId } = await ownApp(service);
    const before = await scrape(service);
    const short = serveSocket(service, () =>
      Response.json({ fault: 'incomplete', message: '1 rows of 2 were read.' }),
    );
    const answer = await service.call(`/v1/apps/${appId}/events/summary`, { headers: key });
    expect(answer.status).toBe(503);
    short.stop();
    return [before, await scrape(service)];
  },
  QueriesWait: async () => {
    const service = await start();
    const { key, orgId } = await createTestOrg(service);
    const apps = await Promise.all(Array.from({ length: 12 }, () => createTestApp(service, orgId)));
    const before = await scrape(service);
    const answering = Promise.withResolvers<void>();
    const slow = serveSocket(service, async () => {
      await answering.promise;
      return new Response('no answer');
    });
    const asked = apps.map(({ appId }) =>
      service.call(`/v1/apps/${appId}/events/summary`, { headers: key }),
    );
    const scrapes = [before];
    for (let minute = 0; minute < 3; minute += 1) {
      scrapes.push(await scrapeUntil(service, /^event_queries_waiting\S* ([6-9]|1\d)$/m));
    }
    answering.resolve();
    await Promise.all(asked);
    slow.stop();
    return scrapes;
  },
  LogsDropped: async () => {
    const own = await testDatabase();
    const service = await start({}, own);
    const { key } = await createTestOrg(service);
    const before = await scrape(service);
    await own.sql`ALTER TABLE logs RENAME TO lost`;
    await service.call('/v1/logs', { headers: key, body: { message: 'lost' } });
    return [before, await scrapeUntil(service, /^log_entries_dropped_total\S* [1-9]/m)];
  },
  ServerErrors: async () => {
    const own = await testDatabase();
    const service = await start({}, own);
    const { key } = await createTestOrg(service);
    const before = await scrape(service);
    await own.sql`ALTER TABLE webhooks RENAME TO lost`;
    expect((await service.call('/v1/webhooks', { headers: key })).status).toBe(500);
    return [before, await scrape(service)];
  },
};

const RULES = readFileSync(join(ROOT, 'docs/alerts.yml'), 'utf8');
const alerts = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
const asked = new Set(RULES.match(/\b(?:[a-z]+(?:_[a-z]+)+|up)\b/g));
const promtool = Bun.which('promtool') ?? '';
if (promtool === '') console.log('not run: alerts that fire (Debian: apt install prometheus)');

/** What the rules ask for, each with its value in scrape after scrape; the last one stays. */
function seriesOf(scrapes: Scrapes): { series: string; values: string }[] {
  const values = new Map<string, string[]>();
  for (const [at, text] of scrapes.entries()) {
    for (const [, series = '', value = ''] of text.matchAll(/^(\w[^ \n]*) (\S+)$/gm)) {
      if (!asked.has(series.split('{')[0] ?? '')) continue;
      const sofar = values.get(series) ?? [];
      while (sofar.length < at) sofar.push('_');
      values.set(series, [...sofar, value]);
    }
  }
  return [...values].map(([series, seen]) => ({
    series,
    values: [...seen, `${seen.at(-1)}x90`].join(' '),
  }));
}

/** Has Prometheus' own tool evaluate the rules; how often each alert fired within 90 minutes. */
function evaluate(scrapes: Scrapes, expected: { alert: string; fires: boolean }[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
  cpSync(join(ROOT, 'docs/alerts.yml'), join(folder, 'alerts.yml'));
  const promql_expr_test = expected.map(({ alert, fires }) => ({
    expr: `count(max_over_time(ALERTS{alertname="${alert}",alertstate="firing"}[2h])) > bool 0`,
    eval_time: '90m',
    exp_samples: fires ? [{ labels: '{}', value: 1 }] : [],
  }));
  const tests = [{ interval: '1m', input_series: seriesOf(scrapes), promql_expr_test }];
  const file = { rule_files: ['alerts.yml'], evaluation_interval: '1m', tests };
  Bun.write(join(folder, 'test.yml'), JSON.stringify(file));
  const ran = Bun.spawnSync([promtool, 'test', 'rules', 'test.yml'], { cwd: folder });
  expect({ code: ran.exitCode, said: `${ran.stdout}${ran.stderr}` }).toMatchObject({ code: 0 });
}

test('each alert has something that is broken so that it fires', () => {
  expect(Object.keys({ ...CAUSES, DependencyDown: away }).toSorted()).toEqual(alerts.toSorted());
});

describe.skipIf(promtool === '')('by what the service itself says', () => {
  test('no alert fires while nothing is wrong', async () => {
    const { device } = await createTestApp(healthy, org.orgId);
    await send(healthy, device, 202);
    const quiet = alerts.filter((alert) => alert !== 'DiskNearlyFull');
    const scrapes = [await scrape(healthy), await scrape(healthy)];
    evaluate(
      scrapes,
      quiet.map((alert) => ({ alert, fires: false })),
    );
  });

  const onDisk = new Set(['EventsRefused', 'EventsTurnedAway', 'DiskNearlyFull']);
  test.skipIf(!disk)('a disk that is full fires three', async () => {
    evaluate(
      await fullDisk(),
      [...onDisk].map((alert) => ({ alert, fires: true })),
    );
  });

  test.each(Object.keys(CAUSES).filter((alert) => !onDisk.has(alert)))(
    '%s fires when that is broken',
    async (alert) => {
      const scrapes = await CAUSES[alert]?.();
      evaluate(scrapes ?? [], [{ alert, fires: true }]);
    },
    1_200_000,
  );

  test.each(Object.entries(away))(
    'DependencyDown fires without %s',
    async (_name, cause) => evaluate(await cause(), [{ alert: 'DependencyDown', fires: true }]),
    1_200_000,
  );

  test('without postgres nothing else fires that only the database could tell', async () => {
    const unknown = ['SecretsSealed', 'BackupsOverdue', 'LakeNotPublished'];
    evaluate(
      await away.postgres(),
      unknown.map((alert) => ({ alert, fires: false })),
    );
  }, 1_200_000);
});
