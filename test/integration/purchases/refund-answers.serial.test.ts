import { afterAll, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import {
  notificationPayload,
  type TransactionPayload,
  transactionPayload,
} from '../../simulators/store-server/payloads.ts';
import { createPki } from '../../simulators/store-server/pki.ts';
import { startStoreServer } from '../../simulators/store-server/server.ts';
import { callInstance, type Instance, newDataDir, startInstance } from '../../support/instance.ts';
import { testDatabase } from '../../support/postgres.ts';
import { isFullRun } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';

const KILLS = isFullRun ? 200 : 2;
/** Asked between two kills, so that each kill meets some. */
const ASKED_PER_KILL = 3;
const BUNDLE = 'com.example.refunds';
const STORE_APP = 4_712;
const HOUR = 3_600_000;

const database = await testDatabase();
const temporal = await testTemporal();
const service = await startTestService(database, { temporal });
const { sql } = database;
const pki = await createPki();
const rootFile = `${newDataDir()}-root.pem`;
await Bun.write(rootFile, pki.rootPem);
const store = await startStoreServer(pki);
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEY = { keyId: 'KEY7654321', issuerId: '57246542-96fe-1a63-e053-0824d011072a' };
store.addKey({ ...KEY, publicKey: pair.publicKey });
store.addApp(BUNDLE);

let instance: Instance | undefined;
afterAll(async () => {
  await instance?.stop();
  await store.stop();
});

const consumed = () => store.changed('Production').consumptions;

const call = (path: string, method: string, body: unknown, headers = {}) =>
  callInstance(instance, path, { method, body, headers });

const asked: TransactionPayload[] = [];

async function ask(): Promise<void> {
  const transaction = transactionPayload({
    ...{ bundleId: BUNDLE, productId: 'coins.100', type: 'Consumable' },
    purchaseDate: Date.now() - HOUR,
  });
  store.addTransaction(transaction);
  asked.push(transaction);
  const data = { bundleId: BUNDLE, bundleVersion: '1', environment: 'Production' };
  const payload = notificationPayload({
    notificationType: 'CONSUMPTION_REQUEST',
    data: { ...data, appAppleId: STORE_APP, consumptionRequestReason: 'OTHER' },
  });
  const signedPayload = store.notify('Production', payload, { transaction });
  await call('/v1/purchases/notifications', 'POST', { signedPayload });
}

const workerOf = (running: Instance): number | undefined =>
  Object.entries(running.children()).find(([name]) => name.startsWith('worker'))?.[1];

test('each refund request is answered once and in time, however often the worker is killed', async () => {
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
      STORE_SERVER_API_URL: store.production.url,
      STORE_SERVER_SANDBOX_API_URL: store.sandbox.url,
      AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef',
      SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
      RATE_LIMIT_SCALE: '1000',
      ROLE: 'api,worker,query',
    },
  });
  const running = instance;
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await call('/v1/purchases/connection', 'PUT', { ...KEY, privateKey }, org.key);
  const settings = {
    ...{ answers: 'decline', customersConsent: true },
    products: [{ productId: 'coins.100', used: 'part' }],
  };
  await call(`/v1/apps/${appId}/purchases/refund-answers`, 'PATCH', settings, org.key);

  for (let kills = 0; kills < KILLS; kills += 1) {
    for (let each = 0; each < ASKED_PER_KILL; each += 1) await ask();
    const before = store.production.requests.length;
    // Every other kill comes when the store has taken one whose answer is on its way.
    const isMidway = kills % 2 === 0;
    if (isMidway) store.production.faults.next({ kind: 'silent_after' }, { match: /consumption/ });
    await until('the worker asks the store', () => store.production.requests.length > before);
    const worker = workerOf(running);
    if (worker !== undefined) process.kill(worker, 'SIGKILL');
    await until('another worker runs', () => workerOf(running) !== worker);
  }

  await until('each is answered', async (saw) => {
    // Notifications that are not applied yet have no row.
    const [row] = await sql<{ answered: number }[]>`
        SELECT count(*) AS answered FROM purchase_refund_requests
        WHERE app_id = ${appId} AND state = 'answered'`;
    saw(row);
    return row?.answered === asked.length;
  });
  const [rows] = await sql<{ count: number; late: number }[]>`
      SELECT count(*) AS count, count(*) FILTER (WHERE answered_at > answer_by) AS late
      FROM purchase_refund_requests WHERE app_id = ${appId}`;
  expect(rows).toEqual({ count: KILLS * ASKED_PER_KILL, late: 0 });
  expect(store.production.violations).toEqual([]);
  const bodies = Map.groupBy(consumed(), ({ transactionId }) => transactionId);
  expect([...bodies.keys()].toSorted()).toEqual(asked.map((one) => one.transactionId).toSorted());
  for (const sent of bodies.values()) {
    expect(new Set(sent.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  }
  const again = consumed().length - bodies.size;
  console.log(`${asked.length} requests, ${KILLS} kills: ${again} sent again, each the same`);
}, 3_600_000);
