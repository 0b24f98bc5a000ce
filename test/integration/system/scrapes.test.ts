import { afterAll, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { Registry } from 'prom-client';
import { serveMetrics } from '../../../src/observability/metrics-socket.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestService } from '../../support/service.ts';

const METRICS_TOKEN = 'a-token-for-metrics-0123';
const service = await startTestService(await testDatabase(), { env: { METRICS_TOKEN } });
const { runDir } = service.deps.config;
mkdirSync(runDir, { recursive: true });

let asked = 0;
class CountingRegistry extends Registry {
  override metrics(): Promise<string> {
    asked += 1;
    return super.metrics();
  }
}
const other = serveMetrics(runDir, 'other', new CountingRegistry());
afterAll(() => other.stop());

const scrape = () =>
  service.call('/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });

test('scrapes at once ask the other processes of the host once', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, scrape));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(asked).toBe(1);
  await scrape();
  expect(asked).toBe(2);
});
