import { afterAll, expect, test } from 'bun:test';
import { createPki, signJws } from '../../simulators/store-server/pki.ts';
import { sendNotification } from '../../simulators/store-server/sender.ts';
import {
  SimulatedSubscription,
  toNotification,
} from '../../simulators/store-server/subscription.ts';
import { type Instance, isHealthy, newDataDir, startInstance } from '../../support/instance.ts';
import { testDatabase } from '../../support/postgres.ts';
import { isFullRun } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';

const COUNT = isFullRun ? 1_000 : 60;
const COPIES = 3;
const SENDERS = 12;
/** Spread over what is to be sent, however fast the machine is. */
const KILLS = isFullRun ? 10 : 2;
const BUNDLE = 'com.example.crash';
const STORE_APP = 4_711;

const database = await testDatabase();
const temporal = await testTemporal();
const service = await startTestService(database, { temporal });
const { sql } = database;
const pki = await createPki();
const rootFile = `${newDataDir()}-root.pem`;
await Bun.write(rootFile, pki.rootPem);

let instance: Instance | undefined;
afterAll(async () => {
  await instance?.stop();
});

function notification(index: number): string {
  const subscription = new SimulatedSubscription({
    bundleId: BUNDLE,
    environment: index % 2 === 0 ? 'Production' : 'Sandbox',
    start: Date.now() - 3_600_000,
    appAccountToken: crypto.randomUUID(),
  });
  const [told] = subscription.told;
  const payload = toNotification(told!, { ...subscription.options, appAppleId: STORE_APP });
  const data = {
    ...payload.data,
    signedTransactionInfo: signJws(pki, told!.transaction),
    signedRenewalInfo: signJws(pki, told!.renewal),
  };
  return signJws(pki, { ...payload, data });
}

/** The store's own retries, without its hours between them. */
const RETRY_DELAYS_MS = Array.from({ length: 2_000 }, () => 50);

async function send(url: string, signedPayload: string): Promise<void> {
  const options = { url, environment: 'Production' as const, retryDelaysMs: RETRY_DELAYS_MS };
  const attempts = await sendNotification(options, signedPayload);
  expect(attempts.at(-1)?.sendAttemptResult).toBe('SUCCESS');
}

async function sendAll(url: string, queue: string[]): Promise<void> {
  const sender = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) await send(url, next);
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
}

/** Kills API and worker in turn, each time that another part of the queue has been sent. */
async function killWhile(running: Instance, queue: readonly string[]): Promise<void> {
  const all = queue.length;
  for (let kills = 0; kills < KILLS; kills += 1) {
    await until(
      'queue.length <= all * (1 - (kills + 1) / (KILLS + 1))',
      () => queue.length <= all * (1 - (kills + 1) / (KILLS + 1)),
    );
    await running.killChild(kills % 2 === 0 ? 'api' : 'worker');
  }
}

const count = async (query: Promise<{ count: number }[]>) => (await query)[0]?.count;

test(
  'notifications sent three times while API and worker are killed are each applied once',
  async () => {
    const org = await createTestOrg(service);
    const { appId } = await createTestApp(service, org.orgId);
    await sql`
    UPDATE apps SET bundle_id = ${BUNDLE}, store_app_id = ${String(STORE_APP)}
    WHERE app_id = ${appId}`;
    instance = await startInstance({
      env: {
        DATABASE_URL: database.url,
        TEMPORAL_ADDRESS: temporal.address,
        TEMPORAL_NAMESPACE: temporal.namespace,
        STORE_ROOT_CERTIFICATES: rootFile,
        AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef',
        RATE_LIMIT_SCALE: '1000',
        ROLE: 'api,worker,query',
      },
    });
    const running = instance;
    const signed = Array.from({ length: COUNT }, (_, index) => notification(index));
    const queue = Array.from({ length: COPIES }, () => signed)
      .flat()
      .toSorted(() => Math.random() - 0.5);
    await Promise.all([sendAll(running.url, queue), killWhile(running, queue)]);
    expect(queue).toEqual([]);

    await until('isHealthy(running.url)', () => isHealthy(running.url));
    // What a killed API had no time to start is left to the sweeper, a minute later.
    await sql`
    UPDATE purchase_notifications SET received_at = received_at - interval '2 minutes'
    WHERE applied_at IS NULL`;
    await running.killChild('worker');
    await until('it is so', async () => {
      const waiting = await count(sql`
      SELECT count(*) AS count FROM purchase_notifications WHERE applied_at IS NULL`);
      return waiting === 0;
    });

    const stored = sql<{ count: number }[]>`SELECT count(*) AS count FROM purchase_notifications`;
    expect(await count(stored)).toBe(COUNT);
    const applied = sql<{ count: number }[]>`
    SELECT count(*) AS count FROM purchase_notification_apps WHERE app_id = ${appId}`;
    expect(await count(applied)).toBe(COUNT);
    // Each application writes one line, so a second one would show.
    const audited = sql<{ count: number }[]>`
    SELECT count(*) AS count FROM purchase_audit WHERE app_id = ${appId}`;
    expect(await count(audited)).toBe(COUNT);
    const active = sql<{ count: number }[]>`
    SELECT count(*) AS count FROM purchase_chains
    WHERE app_id = ${appId} AND digest->'current'->>'productId' = 'pro.monthly'`;
    expect(await count(active)).toBe(COUNT);
  },
  1_200_000 + COUNT * 300,
);
