import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { connectBody } from '../simulators/store/connect-body.ts';
import { startStoreSimulator } from '../simulators/store/server.ts';
import { bootstrapClient } from '../support/crash-client.ts';
import { startInstance } from '../support/instance.ts';
import { until } from '../support/until.ts';

const APPS = 8;
const HISTORY_DAYS = 30;
/** The reconciler looks every minute. */
const LIMIT_MS = 150_000;

const store = await startStoreSimulator({ retentionDays: HISTORY_DAYS, delayMs: 40 });
afterAll(() => store.stop());
const instance = await startInstance({
  env: { RATE_LIMIT_SCALE: '1000', STORE_API_URL: store.url, FX_RATES_URL: 'file:///nowhere.csv' },
});
afterAll(() => instance.stop());
const { call } = bootstrapClient(instance, 'lost');

/** Days of the last weeks that have their sales. */
async function coveredDays(): Promise<number> {
  const answer = await call('GET', `/v1/analytics?days=${HISTORY_DAYS - 2}`);
  const { series } = (await answer.json()) as { series: { covered: boolean }[] };
  return series.filter(({ covered }) => covered).length;
}

async function connectStore(): Promise<void> {
  const answer = await call('POST', '/v1/store/connection', connectBody(store));
  expect(answer.status).toBe(201);
  await until('a backfill is under way', async () => (await coveredDays()) > 5);
}

const childNamed = (name: string): number =>
  Object.entries(instance.children()).find(([child]) => child.startsWith(name))?.[1] ?? 0;

test(
  "deleting Temporal's database while running loses nothing",
  async () => {
    await connectStore();
    // Without a worker the runs are started and stay at their first step.
    process.kill(childNamed('worker'), 'SIGKILL');
    const ids: string[] = [];
    for (let index = 0; index < APPS; index += 1) {
      const slug = `lost-${index}`;
      const made = await call('POST', '/v1/apps', { slug, displayName: slug });
      ids.push(((await made.json()) as { id: string }).id);
    }
    process.kill(childNamed('temporal'), 'SIGKILL');
    const folder = join(instance.dataDir, 'temporal');
    const files = [...new Glob('**/*.{db,db-wal,db-shm,sqlite*}').scanSync(folder)];
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) rmSync(join(folder, file));

    await until('every app is active', async (saw) => {
      const list = (await (await call('GET', '/v1/apps')).json()) as { status: string }[];
      saw(list.map((app) => app.status));
      return list.every((app) => app.status === 'active') && list.length === APPS;
    });
    for (const id of ids) {
      const funnels = (await (await call('GET', `/v1/apps/${id}/funnels`)).json()) as unknown[];
      expect(funnels).toHaveLength(1);
    }
    // Yesterday's sales may not be out yet.
    const whole = async () => (await coveredDays()) >= HISTORY_DAYS - 3;
    await until('the backfill is through', whole);
  },
  2 * LIMIT_MS + 60_000,
);
