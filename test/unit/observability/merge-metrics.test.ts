import { expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveHostMetrics } from '../../../src/launcher/serve-metrics.ts';
import { createMetrics, createProcessMetrics } from '../../../src/observability/metrics.ts';
import { metricsOfHost, serveMetrics } from '../../../src/observability/metrics-socket.ts';
import { until } from '../../support/until.ts';

/** A process that has no time for an answer within a second is left out. */
const whole = (read: () => Promise<string>): Promise<string> =>
  until('both processes have answered', async (saw) => {
    const text = await read();
    const isThere = (role: string) => text.includes(`{role="${role}"}`);
    saw(text.length);
    return isThere('worker') && isThere('compactor') && text;
  });

test('the metrics of every process of a host come as one text, each described once', async () => {
  const runDir = mkdtempSync(join(tmpdir(), 'metrics-'));
  const worker = serveMetrics(runDir, 'worker-0', createMetrics('worker').registry);
  const compactor = serveMetrics(runDir, 'compactor-0', createProcessMetrics('compactor'));
  const api = createMetrics('api');
  api.countRefused('unavailable', 3);
  const own = [await api.registry.metrics()];
  const text = await whole(() => metricsOfHost(runDir, own));
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
  const given = {
    ...{ host: '127.0.0.1', metricsPort: 0, metricsToken: undefined, runDir },
    ...{ publicUrl: undefined, trustProxy: 0 },
  };
  const host = serveHostMetrics(given, () => true);
  await whole(async () => {
    const answer = await fetch(new URL('/metrics', host?.url));
    expect(answer.status).toBe(200);
    return answer.text();
  });
  expect((await fetch(new URL('/', host?.url))).status).toBe(404);
  const through = { headers: { 'x-forwarded-for': '192.0.2.1' } };
  expect((await fetch(new URL('/metrics', host?.url), through)).status).toBe(404);
  const rebound = { headers: { host: 'evil.example' } };
  expect((await fetch(new URL('/metrics', host?.url), rebound)).status).toBe(404);
  host?.stop();
  const behind = serveHostMetrics({ ...given, trustProxy: 1 }, () => true);
  expect((await fetch(new URL('/metrics', behind?.url))).status).toBe(404);
  behind?.stop();
  const known = { ...given, trustProxy: 1, metricsToken: 'a token for tests only' };
  const open = serveHostMetrics(known, () => true);
  const bearer = { headers: { authorization: `Bearer ${known.metricsToken}` } };
  expect((await fetch(new URL('/metrics', open?.url), bearer)).status).toBe(200);
  open?.stop();
  compactor.stop();
  worker.stop();
  // One that was killed leaves its socket and is left out.
  expect(await metricsOfHost(runDir)).not.toContain('worker');
});
