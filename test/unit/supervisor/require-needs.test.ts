import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config.ts';
import { requireNeeds } from '../../../src/launcher/require-needs.ts';
import { Registry } from 'prom-client';
import { fleetingFolder } from '../../../src/observability/needs.ts';
import { serveMetrics } from '../../../src/observability/metrics-socket.ts';
import { must } from '../../../src/shared/assert.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { querySocket } from '../../../src/query/protocol.ts';
import { MINUTE_MS } from '../../../src/shared/time.ts';
import { temporaryFolder } from '../../support/events.ts';

const warned: string[] = [];
/** Test runs keep their files in memory, which is told too. */
const log = {
  warn: (text: string) => {
    if (!text.includes('is in memory')) warned.push(text);
  },
};
const { signal: stopping } = new AbortController();
const context = { log, stopping };

function host(env: Record<string, string>) {
  const config = loadConfig({ DATA_DIR: join(temporaryFolder('host'), 'data'), ...env });
  mkdirSync(config.runDir, { recursive: true });
  return config;
}

test.each([{ ROLE: 'worker' }, { ROLE: 'api,worker', WORKER_QUEUES: 'main' }])(
  '%p without a query process on its DATA_DIR is refused with what to do',
  async (env) => {
    const config = host(env);
    const refused = requireNeeds(config, context, 0);
    await expect(refused).rejects.toThrow(`no query process answers in ${config.runDir}`);
    await expect(refused).rejects.toThrow('Add query to ROLE');
  },
);

test.each([{ ROLE: 'worker', WORKER_QUEUES: 'files' }, { ROLE: 'worker,query' }, { ROLE: 'all' }])(
  '%p needs no other query process',
  async (env) => {
    await requireNeeds(host(env), context, 0);
  },
);

test('a query process that starts after the worker is enough', async () => {
  const config = host({ ROLE: 'worker' });
  const required = requireNeeds(config, context, MINUTE_MS);
  const unix = querySocket(config.runDir, 0);
  const queries = Bun.serve({ unix, fetch: () => new Response(null, { status: 404 }) });
  await required;
  await queries.stop(true);
});

test('the socket of a process that was killed is not enough', async () => {
  const config = host({ ROLE: 'worker' });
  writeFileSync(querySocket(config.runDir, 0), '');
  await expect(requireNeeds(config, context, 0)).rejects.toThrow('no query process');
});

test('a stop ends the search', async () => {
  await requireNeeds(host({ ROLE: 'worker' }), { log, stopping: AbortSignal.abort() }, MINUTE_MS);
});

test('an API without what it needs takes events, and the log says what waits', async () => {
  warned.length = 0;
  await requireNeeds(host({ ROLE: 'api' }), context, 0);
  expect(warned).toEqual([
    expect.stringContaining('no query process answers'),
    expect.stringContaining('no compactor process answers'),
  ]);
});

test('a compactor on the same DATA_DIR is enough, also of another container', async () => {
  warned.length = 0;
  const config = host({ ROLE: 'api,query' });
  const registry = new Registry();
  const compactor = serveMetrics(config.runDir, 'compactor-0', registry);
  await requireNeeds(config, context, 0);
  compactor.stop();
  expect(warned).toEqual([]);
});

const disk = smallDisk(1);

test.skipIf(disk === null)('a log in memory is said, unless the bucket acknowledges', async () => {
  const DATA_DIR = must(disk, 'a mount').dir;
  const said = (env: Record<string, string>) =>
    fleetingFolder(loadConfig({ DATA_DIR, ROLE: 'api,compactor,query', ...env }));
  const bucket = { EVENTS_URL: 's3://b/e', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
  expect(await said({})).toContain('acknowledged events go with it');
  expect(await said({ ...bucket, EVENTS_ACK: 'bucket' })).toBeNull();
  expect(await said({ ROLE: 'worker,query' })).toBeNull();
});
