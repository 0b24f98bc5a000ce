import { chmodSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { SECOND_MS } from '../shared/time.ts';
import { mergeMetrics } from './merge-metrics.ts';

const SOCKET = /^metrics-.+\.sock$/;
const ANSWER_MS = SECOND_MS;

/** `runDir` must exist. */
export function serveMetrics(
  runDir: string,
  name: string,
  registry: Registry,
): { stop: () => void } {
  const unix = join(runDir, `metrics-${name}.sock`);
  // Left by a killed process.
  rmSync(unix, { force: true });
  const server = Bun.serve({ unix, fetch: async () => new Response(await registry.metrics()) });
  chmodSync(unix, 0o600);
  return {
    stop: () => {
      void server.stop(true);
      rmSync(unix, { force: true });
    },
  };
}

async function ask(unix: string): Promise<string> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch('http://metrics/', { unix, signal, keepalive: false });
  return response.text();
}

/** Responding processes only, plus `own`. */
export async function metricsOfHost(runDir: string, own: string[] = []): Promise<string> {
  const sockets = (await readdir(runDir).catch(() => []))
    .filter((name) => SOCKET.test(name))
    .toSorted();
  const answers = await Promise.allSettled(sockets.map((name) => ask(join(runDir, name))));
  const others = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  return mergeMetrics([...own, ...others]);
}
