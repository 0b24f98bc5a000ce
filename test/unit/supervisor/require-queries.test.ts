import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config.ts';
import { requireQueries } from '../../../src/launcher/require-queries.ts';
import { querySocket } from '../../../src/query/protocol.ts';
import { MINUTE_MS } from '../../../src/shared/time.ts';
import { temporaryFolder } from '../../support/events.ts';

const { signal } = new AbortController();

function host(env: Record<string, string>) {
  const config = loadConfig({ DATA_DIR: join(temporaryFolder('host'), 'data'), ...env });
  mkdirSync(config.runDir, { recursive: true });
  return config;
}

test.each([{ ROLE: 'worker' }, { ROLE: 'api,worker', WORKER_QUEUES: 'main' }])(
  '%p without a query process on its DATA_DIR is refused with what to do',
  async (env) => {
    const config = host(env);
    const refused = requireQueries(config, signal, 0);
    await expect(refused).rejects.toThrow(`no query process answers in ${config.runDir}`);
    await expect(refused).rejects.toThrow('Add query to ROLE');
  },
);

test.each([
  { ROLE: 'worker', WORKER_QUEUES: 'files' },
  { ROLE: 'worker,query' },
  { ROLE: 'api,compactor' },
  { ROLE: 'all' },
])('%p needs no other query process', async (env) => {
  await requireQueries(host(env), signal, 0);
});

test('a query process that starts after the worker is enough', async () => {
  const config = host({ ROLE: 'worker' });
  const required = requireQueries(config, signal, MINUTE_MS);
  const unix = querySocket(config.runDir, 0);
  const queries = Bun.serve({ unix, fetch: () => new Response(null, { status: 404 }) });
  await required;
  await queries.stop(true);
});

test('the socket of a process that was killed is not enough', async () => {
  const config = host({ ROLE: 'worker' });
  writeFileSync(querySocket(config.runDir, 0), '');
  await expect(requireQueries(config, signal, 0)).rejects.toThrow('no query process');
});

test('a stop ends the search', async () => {
  await requireQueries(host({ ROLE: 'worker' }), AbortSignal.abort(), MINUTE_MS);
});
