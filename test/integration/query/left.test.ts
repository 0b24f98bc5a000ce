import { afterAll, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { serve } from '../../../src/app/serve.ts';
import { querySocket } from '../../../src/query/protocol.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await startTestService(await testDatabase(), { env: { PORT: '0' } });
const { deps } = service;
const org = await createTestOrg(service);
const { appId } = await createTestApp(service, org.orgId);

test('a caller who hangs up ends the query, and counts as no failure of the service', async () => {
  const arrived = Promise.withResolvers<void>();
  const hungUp = Promise.withResolvers<void>();
  mkdirSync(deps.config.runDir, { recursive: true, mode: 0o700 });
  const queries = Bun.serve({
    unix: querySocket(deps.config.runDir, 0),
    fetch: async (request) => {
      request.signal.addEventListener('abort', () => hungUp.resolve());
      arrived.resolve();
      await hungUp.promise;
      return new Response(null);
    },
  });
  const server = await serve(deps);
  afterAll(() => Promise.all([server.stop(), queries.stop(true)]));
  const leaving = new AbortController();
  const asked = fetch(`${server.address}/v1/apps/${appId}/events/summary`, {
    headers: org.key,
    signal: leaving.signal,
  }).catch(() => 'left');
  await arrived.promise;
  leaving.abort();
  expect(await asked).toBe('left');
  await hungUp.promise;
  const text = await until('the request is counted', async () => {
    const metrics = await deps.metrics.registry.metrics();
    return metrics.includes('status="499"') && metrics;
  });
  expect(text).not.toContain('http_server_errors_total{');
});
