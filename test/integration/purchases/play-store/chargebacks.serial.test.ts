import { afterAll, expect, test } from 'bun:test';
import { startPlayStore } from '../../../simulators/play-store/server.ts';
import { productOf, reviewOf } from '../../../support/chargebacks.ts';
import { callInstance, type Instance, startInstance } from '../../../support/instance.ts';
import {
  newToken,
  PUSH_EMAIL,
  SERVICE_ACCOUNT,
  trustServiceAccount,
} from '../../../support/play-service.ts';
import { testDatabase } from '../../../support/postgres.ts';
import { isFullRun, randomFrom } from '../../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../../support/service.ts';
import { testTemporal } from '../../../support/temporal.ts';
import { until } from '../../../support/until.ts';

const CHARGEBACKS = isFullRun ? 500 : 6;
/** In their midst at one kill. */
const AT_ONCE = isFullRun ? 10 : 3;
const HOUR = 3_600_000;
const PACKAGE = 'com.example.chargebacks';

const database = await testDatabase();
const temporal = await testTemporal();
const service = await startTestService(database, { temporal });
const { sql } = database;
const play = await startPlayStore(() => new Date());
trustServiceAccount(play);
play.addApp(PACKAGE);
const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1e9));
const random = randomFrom(seed);

let instance: Instance | undefined;
afterAll(async () => {
  await instance?.stop();
  await play.stop();
});

const call = (path: string, method: string, body: unknown, headers = {}) =>
  callInstance(instance, path, { method, body, headers });
const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;

const FATES = ['in_time', 'in_time', 'in_time', 'late', 'too_late', 'foreign', 'unheard'] as const;
type Asked = {
  orderId: string;
  token: string;
  fate: (typeof FATES)[number];
  push: () => Promise<void>;
};
type World = { address: string; device: Record<string, string> };

/** Some are known here before, some after the chargeback, some by Google Play only. */
async function ask({ address, device }: World, index: number): Promise<Asked> {
  // One of the first of each batch, so that there is something to kill.
  const fate = index % AT_ONCE === 0 ? 'in_time' : pick(FATES);
  const orderId = `GPA.chargeback-${index}`;
  const purchaseToken = newToken();
  if (fate !== 'foreign') play.putProduct(purchaseToken, productOf('coins', orderId, Date.now()));
  const handOver = async () => {
    const body = { store: 'google_play', purchaseToken, userId: `user-${index}` };
    await call('/v1/purchases/verify', 'POST', body, device);
  };
  const handedOver = fate === 'foreign' ? 'never' : pick(['before', 'after', 'never']);
  if (handedOver === 'before') await handOver();
  const ageMs = { late: 20 * HOUR, too_late: 24 * HOUR }[fate as string] ?? random() * HOUR;
  const at = Math.floor(Date.now() - ageMs);
  const holder = fate === 'foreign' ? 'com.example.other' : PACKAGE;
  const { token } = play.reviews.ask(orderId, holder, at);
  const packageName = fate === 'unheard' ? 'com.example.other' : PACKAGE;
  const told = {
    ...{ version: '1.0', packageName, eventTimeMillis: String(at) },
    ...reviewOf(token, orderId),
  };
  const push = async () => {
    const data = Buffer.from(JSON.stringify(told)).toString('base64');
    const authorization = await play.signPush({ aud: address, email: PUSH_EMAIL });
    const body = {
      message: { data, messageId: crypto.randomUUID() },
      subscription: 'projects/a/subscriptions/b',
    };
    const { received } = await call(new URL(address).pathname, 'POST', body, { authorization });
    expect(received).toBe(fate !== 'unheard');
  };
  if (fate !== 'foreign' && fate !== 'too_late' && fate !== 'unheard') {
    const kind = pick(['silent', 'silent_after', 'status_after', 'hang_up'] as const);
    const fault = kind === 'status_after' ? { kind, status: 502 } : { kind };
    play.faults.next(fault, { match: new RegExp(`/${orderId}:reviewrefund`) });
  }
  for (let copies = pick([1, 1, 2, 3]); copies > 0; copies -= 1) await push();
  if (handedOver === 'after') await handOver();
  return { orderId, token, fate, push };
}

const workerOf = (running: Instance): number | undefined =>
  Object.entries(running.children()).find(([name]) => name.startsWith('worker'))?.[1];

async function killAmidst(batch: readonly Asked[], running: Instance): Promise<void> {
  const awaited = batch.filter(({ fate }) => fate === 'in_time' || fate === 'late');
  await until('each conversation has begun', () =>
    awaited.every(({ orderId }) =>
      play.requests.some((one) => one.endsWith(`/${orderId}:reviewrefund`)),
    ),
  );
  const worker = workerOf(running);
  if (worker !== undefined) process.kill(worker, 'SIGKILL');
  await until('another worker runs', () => workerOf(running) !== worker);
  for (const { push } of batch) if (random() < 0.3) await push();
}

test('each chargeback is answered once and in time, or said to be too late, however often the worker is killed', async () => {
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
      ROLE: 'api,worker,query',
    },
  });
  const connection = {
    packageName: PACKAGE,
    serviceAccount: JSON.stringify(SERVICE_ACCOUNT),
    pushEmail: PUSH_EMAIL,
  };
  const path = `/v1/apps/${appId}/purchases`;
  const { pushAddress: address } = await call(`${path}/play-store`, 'PUT', connection, org.key);
  const settings = {
    ...{ answers: 'decline', customersConsent: true },
    products: [{ productId: 'coins', used: 'part' }],
  };
  await call(`${path}/refund-answers`, 'PATCH', settings, org.key);

  const asked: Asked[] = [];
  let kills = 0;
  for (; asked.length < CHARGEBACKS; kills += 1) {
    const batch: Asked[] = [];
    while (batch.length < AT_ONCE) {
      batch.push(await ask({ address, device }, asked.length + batch.length));
    }
    asked.push(...batch);
    await killAmidst(batch, instance);
  }

  await until('none waits', async (saw) => {
    const [row] = await sql<{ waiting: number }[]>`
      SELECT count(*) AS waiting FROM purchase_refund_requests
      WHERE app_id = ${appId} AND state = 'waiting'`;
    saw({ ...row, minute: Math.floor(performance.now() / 60_000) });
    return row?.waiting === 0;
  });
  const rows = await sql<{ orderId: string; said: string; product: string; isLate: boolean }[]>`
    SELECT transaction_id AS "orderId", coalesce(why, state) AS said, product_id AS product,
      answered_at > answer_by AS "isLate"
    FROM purchase_refund_requests WHERE app_id = ${appId}`;
  const SAID = { in_time: 'answered', late: 'answered', too_late: 'too_late', foreign: 'refused' };
  const heard = asked.filter(({ fate }) => fate !== 'unheard');
  const said = new Map(rows.map((row) => [row.orderId, row.said]));
  expect(rows).toHaveLength(heard.length);
  for (const { orderId, token, fate } of asked) {
    const isAnswered = fate === 'in_time' || fate === 'late';
    const note = `${orderId}, ${fate}, seed ${seed}`;
    expect(said.get(orderId), note).toBe(fate === 'unheard' ? undefined : SAID[fate]);
    const bodies = play.reviews.asked.get(token)!.answers.map(({ body }) => body);
    expect(bodies.length > 0, note).toBe(isAnswered);
    for (const body of bodies) expect(body, note).toEqual(bodies[0]!);
    if (isAnswered) {
      expect(bodies[0], note).toMatchObject({
        ...{ refundPreference: 'DECLINE', consumptionPercentageMilliunits: 50_000 },
      });
    }
  }
  expect(rows.filter(({ isLate }) => isLate)).toEqual([]);
  expect(play.violations).toEqual([]);
  const sent = asked.map(({ token }) => play.reviews.asked.get(token)!.answers.length);
  const again = sent.filter((count) => count > 1).length;
  const counts = Object.entries(Object.groupBy(rows, (row) => row.said));
  console.log(
    `${asked.length} chargebacks, ${kills} kills, ${again} answered again with the same: ${counts.map(([word, all]) => `${all?.length} ${word}`).join(', ')}; seed ${seed}`,
  );
}, 7_200_000);
