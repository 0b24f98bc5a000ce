import { expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveHostMetrics } from '../../../src/launcher/serve-metrics.ts';
import { createMetrics, createProcessMetrics } from '../../../src/observability/metrics.ts';
import { metricsOfHost, serveMetrics } from '../../../src/observability/metrics-socket.ts';

test('the metrics of every process of a host come as one text, each described once', async () => {
  const runDir = mkdtempSync(join(tmpdir(), 'metrics-'));
  const worker = serveMetrics(runDir, 'worker-0', createMetrics('worker').registry);
  const compactor = serveMetrics(runDir, 'compactor-0', createProcessMetrics('compactor'));
  const api = createMetrics('api');
  api.countRefused('unavailable', 3);
  const text = await metricsOfHost(runDir, [await api.registry.metrics()]);
  const described = [...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name);
  expect(described).toEqual([...new Set(described)]);
  for (const role of ['api', 'worker', 'compactor']) {
    expect(text).toMatch(
      new RegExp(`^process_resident_memory_bytes\\{role="${role}"\\} \\d+`, 'm'),
    );
  }
  expect(text).toMatch(/^events_refused_total\{reason="unavailable",role="api"\} 3$/m);
  expect(text).toMatch(/^http_internal_errors_total\{role="api"\} 0$/m);
  // A host without an API.
  const given = { host: '127.0.0.1', metricsPort: 0, metricsToken: undefined, runDir };
  const host = serveHostMetrics(given);
  const answer = await fetch(new URL('/metrics', host?.url));
  expect([answer.status, await answer.text()]).toEqual([
    200,
    expect.stringContaining('{role="worker"}'),
  ]);
  expect((await fetch(new URL('/', host?.url))).status).toBe(404);
  host?.stop();
  compactor.stop();
  worker.stop();
  // One that was killed leaves its socket and is left out.
  expect(await metricsOfHost(runDir)).not.toContain('worker');
});
