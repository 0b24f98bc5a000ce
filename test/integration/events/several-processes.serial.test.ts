import { afterAll, describe, expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HotEvents } from '../../../src/event-store/hot/hot-events.ts';
import { systemClock } from '../../../src/shared/time.ts';
import { localObjectStore } from '../../../src/storage/object-store/local.ts';
import { cuttableProxy } from '../../support/cuttable-proxy.ts';
import { killableProcess } from '../../support/event-processes.ts';
import { openEventStore, visibleRows } from '../../support/event-store.ts';
import { temporaryFolder } from '../../support/events.ts';
import { poolerEnv, testDatabase } from '../../support/postgres.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { pause } from '../../support/pause.ts';

const KILLS = isFullRun ? 100 : 4;
const CLIENTS = 6;
const BATCH = 5;

const database = await testDatabase();
const proxy = await cuttableProxy(database.url);
const service = await startTestService(database);
const org = await createTestOrg(service);
const app = await createTestApp(service, org.orgId);
const dataDir = temporaryFolder('crash');
const env = {
  DATA_DIR: dataDir,
  DATABASE_URL: proxy.url,
  ...poolerEnv,
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef',
  PORT: '0',
  DISK_FLOOR_MB: '1',
  RATE_LIMIT_SCALE: '100000',
  LOG_LEVEL: 'fatal',
  LOG_FORMAT: 'json',
};
/** Two API processes and two compactors share one folder, as they do on a busy host. */
const apis = [await killableProcess('api', env), await killableProcess('api', env)];
const compactors = [
  await killableProcess('compactor', env),
  await killableProcess('compactor', env),
];
afterAll(() => Promise.all([...apis, ...compactors].map((one) => one.kill('SIGKILL'))));

/** Sends a batch again and again, as a client does, until it is acknowledged. */
async function deliver(body: string, turn: number): Promise<void> {
  for (let attempt = turn; ; attempt += 1) {
    const api = apis[attempt % apis.length]!;
    const answer = await fetch(`${api.address()}/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...app.device },
      body,
      signal: AbortSignal.timeout(5_000),
    }).catch(() => null);
    if (answer?.status === 202) return;
    if (answer && answer.status < 500) throw new Error(`${answer.status} ${await answer.text()}`);
    await answer?.text();
    await pause(50, 'before the next attempt');
  }
}

/** Batches of numbered events; every other one is known again by its fields instead of an id. */
function batch(first: number): string {
  const events = Array.from({ length: BATCH }, (_, i) => {
    const n = first + i;
    const known = n % 2 ? { id: `number-${String(n).padStart(8, '0')}` } : {};
    const ts = new Date(Date.UTC(2026, 10, 1) + n).toISOString();
    return { name: 'step', anonymousId: `anonymous-${n % 50}`, ts, props: { n }, ...known };
  });
  return JSON.stringify({ events });
}

async function sendUntil(isOver: () => boolean): Promise<number[]> {
  let next = 0;
  const acknowledged: number[] = [];
  const client = async (turn: number) => {
    while (!isOver()) {
      const first = next;
      next += BATCH;
      await deliver(batch(first), turn);
      for (let i = 0; i < BATCH; i += 1) acknowledged.push(first + i);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)));
  return acknowledged;
}

const numbers = randomFrom(20_261_121);
const random = (max: number) => Math.floor(numbers() * max);

async function disturb(): Promise<void> {
  const victims = [...apis, ...compactors];
  for (let kill = 0; kill < KILLS; kill += 1) {
    await pause(200 + random(800), 'a kill at any moment');
    if (kill % 3 === 2) {
      proxy.cut();
      await pause(200 + random(1_000), 'the network is cut for a while');
      proxy.mend();
    }
    const victim = victims[random(victims.length)]!;
    await victim.kill('SIGKILL');
    await victim.start();
  }
}

describe('two APIs and two compactors on one folder, killed and cut off from the database', () => {
  test(`${KILLS} times loses no acknowledged event and stores none twice`, async () => {
    let over = false;
    const disturbing = disturb().finally(() => {
      over = true;
    });
    const acknowledged = await sendUntil(() => over);
    await disturbing;
    expect(acknowledged.length).toBeGreaterThan(KILLS * BATCH);

    const objects = localObjectStore(join(dataDir, 'events'));
    const { connection } = await openEventStore(database.sql, objects);
    const hot = new HotEvents(
      { sql: database.sql, objects, clock: systemClock },
      join(dataDir, 'log'),
    );
    const numbers = async () =>
      (await visibleRows({ hot, connection }, app.appId, org.orgId)).map(
        (row) => JSON.parse(row.props ?? '').n,
      );
    const expected = acknowledged.toSorted((a, b) => a - b);
    expect((await numbers()).toSorted((a, b) => a - b)).toEqual(expected);

    // Closing seals the last segments; then all of it has to come out of the files alone.
    for (const api of apis) await api.kill('SIGTERM');
    const segments = async () =>
      (await readdir(join(dataDir, 'log'))).filter((name) => name.endsWith('.log'));
    await until('every segment is taken', async () => (await segments()).length === 0);
    expect((await numbers()).toSorted((a, b) => a - b)).toEqual(expected);
    const [stored] = await database.sql`SELECT sum(rows)::int AS rows FROM event_file_apps`;
    expect(stored?.rows).toBe(expected.length);
  });
});
