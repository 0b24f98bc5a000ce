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

const KILLS = isFullRun ? 200 : 2;
/** Between two kills, so that each kill meets some. */
const SOLD_PER_KILL = 4;
const PACKAGE = 'com.example.kills';

const database = await testDatabase();
const temporal = await testTemporal();
const service = await startTestService(database, { temporal });
const { sql } = database;
const play: PlaySimulator = await startPlayStore(() => new Date());
trustServiceAccount(play);
play.addApp(PACKAGE);

let instance: Instance | undefined;
afterAll(async () => {
  await instance?.stop();
  await play.stop();
});

const call = (path: string, method: string, body: unknown, headers = {}) =>
  callInstance(instance, path, { method, body, headers });

const tokens: string[] = [];

/** Every other one is known by its notification only: its run acknowledges it. */
async function sell(address: string, device: Record<string, string>): Promise<void> {
  const token = newToken();
  play.put(token, subscriptionOf({ token }, Date.now()));
  tokens.push(token);
  const isHandedOver = tokens.length % 2 === 0;
  if (isHandedOver) {
    const body = { store: 'google_play', purchaseToken: token, userId: `user-${tokens.length}` };
    await call('/v1/purchases/verify', 'POST', body, device);
  }
  const told = {
    ...{ version: '1.0', packageName: PACKAGE, eventTimeMillis: String(Date.now()) },
    subscriptionNotification: { version: '1.0', notificationType: 4, purchaseToken: token },
  };
  const data = Buffer.from(JSON.stringify(told)).toString('base64');
  const authorization = await play.signPush({ aud: address, email: PUSH_EMAIL });
  const message = { data, messageId: crypto.randomUUID() };
  const path = new URL(address).pathname;
  await call(
    path,
    'POST',
    { message, subscription: 'projects/a/subscriptions/b' },
    { authorization },
  );
}

const workerOf = (running: Instance): number | undefined =>
  Object.entries(running.children()).find(([name]) => name.startsWith('worker'))?.[1];

test('each purchase is kept and acknowledged once, however often the worker is killed', async () => {
  const org = await createTestOrg(service);
  const { appId, device } = await createTestApp(service, org.orgId);
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
      ROLE: 'api,worker',
    },
  });
  const running = instance;
  const connection = {
    packageName: PACKAGE,
    serviceAccount: JSON.stringify(SERVICE_ACCOUNT),
    pushEmail: PUSH_EMAIL,
  };
  const path = `/v1/apps/${appId}/purchases/play-store`;
  const { pushAddress } = await call(path, 'PUT', connection, org.key);

  for (let kills = 0; kills < KILLS; kills += 1) {
    // Every other kill comes when Google has taken one whose answer is on its way.
    const isMidway = kills % 2 === 0;
    const before = play.requests.length;
    for (let each = 0; each < SOLD_PER_KILL; each += 1) await sell(pushAddress, device);
    if (isMidway) play.faults.next({ kind: 'silent_after' }, { match: /acknowledge/ });
    await until('the worker asks Google', () =>
      play.requests.slice(before + 2 * SOLD_PER_KILL).some((request) => request.startsWith('GET')),
    );
    const worker = workerOf(running);
    if (worker !== undefined) process.kill(worker, 'SIGKILL');
    await until('another worker runs', () => workerOf(running) !== worker);
  }

  await until('each is acknowledged', async (saw) => {
    const [row] = await sql<{ left: number; kept: number }[]>`
      SELECT count(*) FILTER (WHERE acknowledge_at IS NOT NULL OR chain_id IS NULL) AS left,
        count(*) AS kept
      FROM play_purchases WHERE app_id = ${appId}`;
    saw(row);
    return row?.left === 0 && row.kept === tokens.length;
  });
  expect(play.acknowledgements.toSorted()).toEqual(tokens.toSorted());
  expect(play.violations).toEqual([]);
  const [chains] = await sql<{ count: number }[]>`
    SELECT count(*) AS count FROM purchase_chains WHERE app_id = ${appId} AND digest IS NOT NULL`;
  expect(chains?.count).toBe(tokens.length);
  console.log(`${tokens.length} purchases, ${KILLS} kills: each acknowledged once`);
}, 7_200_000);
