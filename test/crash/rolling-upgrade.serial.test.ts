import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HotEvents } from '../../src/event-store/hot/hot-events.ts';
import { openCompactor } from '../../src/event-store/parquet/compactor.ts';
import { at, must } from '../../src/shared/assert.ts';
import { DAY_MS, SECOND_MS } from '../../src/shared/time.ts';
import type { Status } from '../../src/modules/system/model.ts';
import type { WorldKeys } from '../release-fixture/facts.ts';
import { newKeys, startWorld, type World } from '../release-fixture/world.ts';
import { startChat } from '../simulators/chat/server.ts';
import { notificationPayload, transactionPayload } from '../simulators/store-server/payloads.ts';
import { runEachKind } from '../support/each-kind.ts';
import { temporaryFolder } from '../support/events.ts';
import { startFailingOver } from '../support/failing-over.ts';
import { fullWorld } from '../support/forged-world.ts';
import { hasHelm, type Manifest, manifestsOf, renderChart } from '../support/helm.ts';
import { describeFull } from '../support/left-out.ts';
import { LostHostsLoad } from '../support/lost-hosts-load.ts';
import { type Cluster, PodSet, runJob } from '../support/pods.ts';
import { isFullRun } from '../support/random.ts';
import { testS3 } from '../support/s3-server.ts';
import {
  createTestApp,
  createTestOrg,
  startTestService,
  type TestApp,
  type TestOrg,
  type TestService,
} from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { WorkerPosts } from '../support/worker-posts.ts';
import { pause } from '../support/pause.ts';

const EVENTS_PER_SECOND = Number(process.env.TEST_EVENTS_PER_SECOND ?? 2_000);
const REFUSED_FOR_AT_MOST_MS = 5 * SECOND_MS;
/** Acknowledged in all. */
const EVENTS = Number(process.env.TEST_EVENTS ?? 200_000);
const LOST_COMMITS_MS = 30 * SECOND_MS;
const LIMIT_MS = 60 * 60 * SECOND_MS;
const METRICS_TOKEN = 'a-token-for-tests-only';
const VALUES = {
  secretName: 'control-plane',
  publicUrl: 'http://app.example.com',
  trustProxy: 0,
  temporal: { address: 'temporal:7233' },
  events: { url: 's3://events-bucket/rolling' },
  backup: { to: 's3://events-bucket/backups' },
  api: { drainSeconds: 3, queryMemoryMb: 512 },
};

const SECRETS = {
  AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef',
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
};

const s3 = isFullRun && hasHelm ? await testS3() : null;
const chat = startChat();
afterAll(() => chat.stop());

/** Of an ordinary hour; the rest needs what is outside. */
const DONE = [
  ...['writeDigest', 'sendDigest', 'checkAlerts', 'checkWatches', 'sendMessage'],
  ...['planEventJobs', 'finishEventMaintenance', 'isAppWanted', 'readBackend'],
  ...['applyPurchaseNotification', 'planPurchaseRecovery', 'importPurchases', 'readPlayReports'],
  'answerRefundRequest',
];

type Answer = { atMs: number; status: number; mayRetry: boolean };

/** The longest time within which every answer was a 503. */
function longestRefusal(answers: readonly Answer[]): number {
  let longest = 0;
  let sinceMs: number | null = null;
  for (const { atMs, status } of answers) {
    if (status === 503) sinceMs ??= atMs;
    else sinceMs = null;
    if (sinceMs !== null) longest = Math.max(longest, atMs - sinceMs);
  }
  return longest;
}

/** Asks what has come so far, each second, whichever pod the routes lead to. */
class Reader {
  readonly answers: Answer[] = [];
  readonly strange: string[] = [];
  private readonly stopping = new AbortController();
  private readonly asking: Promise<void>;
  private turn = 0;

  constructor(
    private readonly routes: () => readonly string[],
    private readonly path: string,
    private readonly headers: Record<string, string>,
  ) {
    this.asking = this.ask();
  }

  private async ask(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const beganMs = Date.now();
      const urls = this.routes();
      this.turn += 1;
      const url = at(urls, this.turn % urls.length);
      await this.askOne(url);
      await pause(Math.max(0, SECOND_MS - (Date.now() - beganMs)), 'one question a second');
    }
  }

  private async askOne(url: string): Promise<void> {
    const body = JSON.stringify({ kind: 'series', series: [{ events: ['step'] }], days: 1 });
    try {
      const answer = await fetch(`${url}${this.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...this.headers },
        body,
      });
      const text = await answer.text();
      const mayRetry = answer.headers.has('retry-after');
      this.answers.push({ atMs: Date.now(), status: answer.status, mayRetry });
      const isExpected = answer.status === 200 || (answer.status === 503 && mayRetry);
      if (!isExpected) this.strange.push(`${url}: ${answer.status} ${text.slice(0, 200)}`);
    } catch (error) {
      this.strange.push(`${url}: ${String(error)}`);
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.asking;
  }
}

const find = (manifests: readonly Manifest[], kind: string, end: string) =>
  must(
    manifests.find((one) => one.kind === kind && one.metadata.name.endsWith(end)),
    `${kind} ${end}`,
  );

type Refunds = { org: TestOrg; app: TestApp; outside: World; keys: WorldKeys };

/** A purchase whose customer wants the money back, of an app that answers by what was used. */
async function askForRefund(service: TestService, { org, app, outside, keys }: Refunds) {
  const { storeServer: store } = outside;
  const [bundleId, storeAppId] = ['com.example.refunds', '4712'];
  await service.deps.sql`
    UPDATE apps SET bundle_id = ${bundleId}, store_app_id = ${storeAppId}
    WHERE app_id = ${app.appId}`;
  store.addApp(bundleId);
  const call = async (path: string, method: string, body: object) => {
    const answer = await service.call(path, { method, headers: org.key, body });
    expect([path, answer.status]).toEqual([path, 200]);
  };
  await call('/v1/purchases/connection', 'PUT', keys.purchases);
  await call(`/v1/apps/${app.appId}/purchases/refund-answers`, 'PATCH', {
    ...{ answers: 'grant', customersConsent: true },
    products: [{ productId: 'coins.100', used: 'events', eventName: 'step', uses: 10 }],
  });
  const transaction = transactionPayload({
    ...{ bundleId, productId: 'coins.100', type: 'Consumable' },
    purchaseDate: Date.now() - DAY_MS,
  });
  store.addTransaction(transaction);
  const data = { bundleId, bundleVersion: '1', environment: 'Production' };
  return {
    ask: () => {
      const payload = notificationPayload({
        notificationType: 'CONSUMPTION_REQUEST',
        data: {
          ...data,
          appAppleId: Number(storeAppId),
          consumptionRequestReason: 'UNINTENDED_PURCHASE',
        },
      });
      const signedPayload = store.notify('Production', payload, { transaction });
      return call('/v1/purchases/notifications', 'POST', { signedPayload });
    },
    answers: () => store.changed('Production').consumptions,
  };
}

describeFull(
  s3 !== null,
  'Helm and versitygw, both by Go',
  isFullRun,
)('a cluster of the chart', () => {
  test(
    `${EVENTS_PER_SECOND} events a second and a reader notice nothing of a rolling upgrade`,
    async () => {
      const { text } = renderChart(VALUES);
      const manifests = manifestsOf(text);
      const database = await startFailingOver(mkdtempSync(join(tmpdir(), 'failover-')), {
        maxConnections: 300,
        pool: 10,
      });
      const temporal = await testTemporal();
      const bucket = {
        EVENTS_URL: VALUES.events.url,
        EVENTS_ACK: 'bucket',
        S3_ENDPOINT: s3!.endpoint,
        S3_ACCESS_KEY_ID: s3!.credentials.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3!.credentials.secretAccessKey,
      };
      const keys = newKeys();
      const outside = await startWorld(keys, temporaryFolder('outside'));
      afterAll(() => outside.stop());
      const egress = {
        ...outside.env,
        EGRESS_ALLOW: `127.0.0.1:${chat.port},${outside.receiver.hostPort}`,
      };
      const env = { ...bucket, ...SECRETS, ...egress };
      const service = await startTestService(database, { temporal, env });
      const world = await fullWorld(service);
      const org = await createTestOrg(service);
      const { orgId, key } = org;
      const app = await createTestApp(service, orgId);
      const posts = new WorkerPosts({ service, org, chat });
      const refunds = await askForRefund(service, { org, app, outside, keys });
      const cluster: Cluster = {
        folder: temporaryFolder('cluster'),
        secret: {
          DATABASE_URL: database.url,
          METRICS_TOKEN,
          ...SECRETS,
          ...bucket,
        },
        env: {
          ...egress,
          TEMPORAL_ADDRESS: temporal.address,
          TEMPORAL_NAMESPACE: temporal.namespace,
          RATE_LIMIT_SCALE: '100000',
          EVENTS_CACHE_GB: '1',
          LOG_LEVEL: 'warn',
        },
      };
      expect(await runJob(cluster, find(manifests, 'Job', '-migrate'))).toBe(0);

      let routes: string[] = [];
      const load = new LostHostsLoad({
        device: app.device,
        eventsPerSecond: EVENTS_PER_SECOND,
        clients: Math.max(12, Math.ceil(EVENTS_PER_SECOND / 20)),
      });
      const api = new PodSet(cluster, find(manifests, 'StatefulSet', '-api'), (urls) => {
        routes = urls;
        load.sendTo(urls);
      });
      const workers = ['-worker', '-files'].map(
        (end) => new PodSet(cluster, find(manifests, 'Deployment', end)),
      );
      const sets = [...workers, api];
      afterAll(() => {
        for (const set of sets) set.kill();
      });
      // Together: the API is ready once a worker polls.
      await Promise.all(sets.map((set) => set.start()));
      await posts.prepare(at(routes, 0));
      await refunds.ask();
      const path = `/v1/apps/${app.appId}/questions/answer`;
      const reader = new Reader(() => routes, path, key);
      await pause(10 * SECOND_MS, 'ten seconds before the roll-out');

      await posts.trigger();
      const beganMs = Date.now();
      expect(await runJob(cluster, find(manifests, 'Job', '-migrate'))).toBe(0);
      const release = { LOG_LEVEL: 'error' };
      await Promise.all(sets.map((set) => set.rollOut(release)));
      const seconds = (Date.now() - beganMs) / SECOND_MS;
      await pause(10 * SECOND_MS, 'ten seconds after the roll-out');
      await reader.stop();
      expect(load.strange).toEqual([]);

      const lostMs = Date.now();
      await Promise.all(sets.map((set) => set.loseOne()));
      const replacedSeconds = Math.round((Date.now() - lostMs) / SECOND_MS);
      await until('the store was answered', () => refunds.answers().length > 0);

      await database.makeStandby();
      await pause(LOST_COMMITS_MS, 'commits that the standby lacks');
      await database.failOver();
      const failedOverMs = Date.now();
      const catalogue = async () => {
        const { body } = await service.call('/v1/status', { headers: key });
        return body.dependencies?.find(({ name }: { name: string }) => name === 'catalogue');
      };
      await until('status says that the database went back', async (saw) => {
        const line = await catalogue();
        saw(line);
        return line?.status === 'down';
      });
      const toldSeconds = Math.round((Date.now() - failedOverMs) / SECOND_MS);
      const heal = ['bun', 'src/admin/main.ts', 'events', 'rebuild-catalogue', '--add'];
      const [first, ...others] = sets.map(
        (set) => (during: () => Promise<void>) => set.whileNone(during),
      );
      const stopAll = others.reduce(
        (inner, whileNone) => (during) => whileNone(() => inner(during)),
        must(first, 'a set of pods'),
      );
      await stopAll(async () => {
        // Of this process, which connects again when it is asked.
        await database.sql`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name LIKE 'control-plane-api%'`;
        expect(await runJob(cluster, find(manifests, 'Job', '-migrate'), heal)).toBe(0);
      });
      expect(await catalogue()).toMatchObject({ status: 'up' });
      await until(`${EVENTS} acknowledged`, (saw) => {
        const { length } = load.acknowledged();
        saw(length);
        return length >= EVENTS;
      });
      await load.stop();
      const ends = await runEachKind(service.deps.temporal.client, world);
      await until('a digest, a watch and an alert', (saw) => {
        saw(posts.received());
        return posts.received().length === 3;
      });
      expect(posts.received()).toEqual(['alert', 'digest', 'watch']);
      expect(chat.refused).toEqual([]);
      expect(Object.values(ends)).not.toContain('TIMED_OUT');
      const { body: said } = await service.call('/v1/status', { headers: key });
      const { work }: Status = said;
      const done = (work ?? []).filter(({ lastSucceededAt }) => lastSucceededAt !== null);
      expect(done.map(({ kind }) => kind)).toEqual(expect.arrayContaining(DONE));
      const forQueries = (work ?? []).filter(({ waitsFor }) => waitsFor?.includes('query process'));
      expect(forQueries).toEqual([]);
      await until('a backup is made', async (saw) => {
        const rows = await database.sql`SELECT state FROM backups`;
        saw(rows);
        return rows.some(({ state }) => state === 'good');
      });

      const endMs = Date.now();
      await until('every pod has compacted everything', async () => {
        const [row] = await database.sql<{ through: Date | null }[]>`
          SELECT min(through) AS through FROM event_hosts`;
        return (row!.through?.getTime() ?? Infinity) > endMs;
      });
      const { deps } = service;
      const observed = await openCompactor(deps);
      const hot = new HotEvents(deps, deps.config.events.logDir);
      const window = { orgId, appId: app.appId, fromMs: 0, toMs: Date.now() + DAY_MS };
      const { files, hotRows } = await hot.snapshot(window);
      const paths = files.map(({ path: file }) => `'${file}'`).join(', ');
      const read = await observed.connection.runAndReadAll(
        `SELECT session_id::INTEGER FROM read_parquet([${paths}]) WHERE app_id = '${app.appId}'`,
      );
      const numbers = [
        ...hotRows.map(({ sessionId }) => Number(sessionId)),
        ...read.getRows().map(([number]) => Number(number)),
      ].toSorted((a, b) => a - b);
      const acknowledged = load.acknowledged().toSorted((a, b) => a - b);
      const refusedMs = longestRefusal(reader.answers);
      console.log(
        `rolling upgrade: ${JSON.stringify({
          seconds: Math.round(seconds),
          acknowledged: acknowledged.length,
          eventsPerSecond: Math.round(acknowledged.length / ((endMs - load.startedMs) / SECOND_MS)),
          refusedBatches: load.refusals,
          strangeBatches: load.strange.length,
          answers: reader.answers.length,
          refusedAnswers: reader.answers.filter(({ status }) => status !== 200).length,
          refusedMs,
          strangeAnswers: reader.strange.length,
          ...{ replacedSeconds, toldSeconds, refundAnswers: refunds.answers().length },
        })}`,
      );
      expect(numbers).toEqual(acknowledged);
      expect(refunds.answers()).toHaveLength(1);
      expect(reader.strange).toEqual([]);
      expect(refusedMs).toBeLessThanOrEqual(REFUSED_FOR_AT_MOST_MS);
    },
    LIMIT_MS,
  );
});
