import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { bootstrapClient } from '../support/crash-client.ts';
import { startInstance } from '../support/instance.ts';
import { until } from '../support/worker.ts';

const APPS = 8;
/** The reconciler looks every minute. */
const LIMIT_MS = 150_000;

const instance = await startInstance({ env: { RATE_LIMIT_SCALE: '1000' } });
afterAll(() => instance.stop());
const { call } = bootstrapClient(instance, 'lost');

const childNamed = (name: string): number =>
  Object.entries(instance.children()).find(([child]) => child.startsWith(name))?.[1] ?? 0;

test(
  "deleting Temporal's database while running loses nothing",
  async () => {
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

    await until(
      'every app is active',
      async () => {
        const list = (await (await call('GET', '/v1/apps')).json()) as { status: string }[];
        return list.every((app) => app.status === 'active') && list.length === APPS;
      },
      LIMIT_MS,
    );
    for (const id of ids) {
      const funnels = (await (await call('GET', `/v1/apps/${id}/funnels`)).json()) as unknown[];
      expect(funnels).toHaveLength(1);
    }
  },
  LIMIT_MS + 60_000,
);
