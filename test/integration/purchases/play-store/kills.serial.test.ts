import { afterAll, expect, test } from 'bun:test';
import { type PlaySimulator, startPlayStore } from '../../../simulators/play-store/server.ts';
import { callInstance, type Instance, startInstance } from '../../../support/instance.ts';
import {
  newToken,
  PUSH_EMAIL,
  SERVICE_ACCOUNT,
  subscriptionOf,
  trustServiceAccount,
} from '../../../support/play-service.ts';
import { testDatabase } from '../../../support/postgres.ts';
import { isFullRun } from '../../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../../support/service.ts';
import { testTemporal } from '../../../support/temporal.ts';
import { until } from '../../../support/until.ts';

/** TEST_KILLS: another number of them. */
const KILLS = Number(process.env.TEST_KILLS ?? (isFullRun ? 200 : 2));
const SOLD_PER_KILL = 4;
/** Calls to Google during which a worker dies: carried out, and the answer is on its way. */
const MOMENTS = [':acknowledge', 'subscriptionsv2', 'orders/', 'voidedpurchases'];

const database = await testDatabase();
const temporal = await testTemporal();
const service = await startTestService(database, { temporal });
const { sql } = database;
const play: PlaySimulator = await startPlayStore(() => new Date());
trustServiceAccount(play);

let instance: Instance | undefined;
afterAll(async () => {
  await instance?.stop();
  await play.stop();
});

type App = { appId: string; packageName: string; address: string; device: Record<string, string> };

const call = (path: string, method: string, body: unknown, headers = {}) =>
  callInstance(instance, path, { method, body, headers });

const appIds: string[] = [];
const tokens: string[] = [];

/** One for each kill: a run that is tried again waits longer each time. */
async function makeApp(): Promise<App> {
  const org = await createTestOrg(service);
  const { appId, device } = await createTestApp(service, org.orgId);
  const packageName = `com.example.kill${appIds.length}`;
  play.addApp(packageName);
  const connection = {
    packageName,
    serviceAccount: JSON.stringify(SERVICE_ACCOUNT),
    pushEmail: PUSH_EMAIL,
  };
  const path = `/v1/apps/${appId}/purchases/play-store`;
  const { pushAddress: address } = await call(path, 'PUT', connection, org.key);
  appIds.push(appId);
  return { appId, packageName, address, device };
}

/** Every other one is known by its notification only: its run acknowledges it. */
async function sell({ device }: App): Promise<string> {
  const token = newToken();
  play.put(token, subscriptionOf({ token }, Date.now()));
  tokens.push(token);
  const isHandedOver = tokens.length % 2 === 0;
  if (isHandedOver) {
    const body = { store: 'google_play', purchaseToken: token, userId: `user-${tokens.length}` };
    await call('/v1/purchases/verify', 'POST', body, device);
  }
  return token;
}

async function push({ address, packageName }: App, purchaseToken: string): Promise<void> {
  const told = {
    ...{ version: '1.0', packageName, eventTimeMillis: String(Date.now()) },
    subscriptionNotification: { version: '1.0', notificationType: 4, purchaseToken },
  };
  const data = Buffer.from(JSON.stringify(told)).toString('base64');
  const authorization = await play.signPush({ aud: address, email: PUSH_EMAIL });
  const body = {
    message: { data, messageId: crypto.randomUUID() },
    subscription: 'projects/a/subscriptions/b',
  };
  await call(new URL(address).pathname, 'POST', body, { authorization });
}

const workerOf = (running: Instance): number | undefined =>
  Object.entries(running.children()).find(([name]) => name.startsWith('worker'))?.[1];

async function killAt(asked: string, running: Instance): Promise<void> {
  const app = await makeApp();
  const moment = new RegExp(`/${app.packageName}/.*${asked}`);
  const sold: string[] = [];
  for (let each = 0; each < SOLD_PER_KILL; each += 1) sold.push(await sell(app));
  const before = play.requests.length;
  play.faults.next({ kind: 'silent_after' }, { match: moment });
  for (const token of sold) await push(app, token);
  await until('the worker asks Google', () =>
    play.requests.slice(before).some((request) => moment.test(request)),
  );
  play.faults.clear();
  const worker = workerOf(running);
  if (worker !== undefined) process.kill(worker, 'SIGKILL');
  await until('another worker runs', () => workerOf(running) !== worker);
}

test('each purchase is kept and acknowledged once, however often the worker is killed', async () => {
  instance = await startInstance({
    env: {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      PLAY_STORE_API_URL: play.url,
      GOOGLE_TOKEN_URL: `${play.url}/token`,
      GOOGLE_CERTS_URL: `${play.url}/certs`,
      AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef',
      SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
      RATE_LIMIT_SCALE: '1000',
      ROLE: 'api,worker,query',
    },
  });
  const began = performance.now();
  for (let kills = 0; kills < KILLS; kills += 1) {
    await killAt(MOMENTS[kills % MOMENTS.length]!, instance);
  }
  const killed = performance.now();

  await until('each is acknowledged', async (saw) => {
    const [row] = await sql<{ left: number; kept: number }[]>`
      SELECT count(*) FILTER (WHERE acknowledge_at IS NOT NULL OR chain_id IS NULL) AS left,
        count(*) AS kept
      FROM play_purchases WHERE app_id = ANY(${appIds})`;
    // A run that was hit many times is tried again in ten minutes.
    saw({ ...row, minute: Math.floor(performance.now() / 60_000) });
    return row?.left === 0 && row.kept === tokens.length;
  });
  expect(play.acknowledgements.toSorted()).toEqual(tokens.toSorted());
  expect(play.violations).toEqual([]);
  const [chains] = await sql<{ count: number }[]>`
    SELECT count(*) AS count FROM purchase_chains
    WHERE app_id = ANY(${appIds}) AND digest IS NOT NULL`;
  expect(chains?.count).toBe(tokens.length);
  const seconds = (from: number, to: number) => Math.round((to - from) / 1_000);
  console.log(
    `${tokens.length} purchases, ${KILLS} kills in ${seconds(began, killed)} s: each acknowledged once ${seconds(killed, performance.now())} s later`,
  );
}, 7_200_000);
