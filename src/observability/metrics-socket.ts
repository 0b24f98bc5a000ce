import { chmodSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { SECOND_MS } from '../shared/time.ts';

const described = (line: string) => /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1];

function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, Set<string>>();
  for (const text of texts) {
    let family = new Set<string>();
    for (const line of text.split('\n').filter(Boolean)) {
      const name = described(line);
      if (name !== undefined) {
        family = families.get(name) ?? new Set();
        families.set(name, family);
      }
      // Samples differ by label `role`, descriptions never.
      family.add(line);
    }
  }
  const blocks = [...families.values()].map((lines) => [...lines].join('\n'));
  return `${blocks.join('\n\n')}\n`;
}

const SOCKET = /^metrics-.+\.sock$/;
const socketOf = (runDir: string, name: string) => join(runDir, `metrics-${name}.sock`);
const ANSWER_MS = SECOND_MS;

/** `runDir` must exist. */
export function serveMetrics(
  runDir: string,
  name: string,
  registry: Registry,
): { stop: () => void } {
  const unix = socketOf(runDir, name);
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

export const pingMetrics = (runDir: string, name: string) => ask(socketOf(runDir, name));

export async function metricsOfHost(runDir: string, own: string[] = []): Promise<string> {
  const sockets = (await readdir(runDir).catch(() => []))
    .filter((name) => SOCKET.test(name))
    .toSorted();
  const answers = await Promise.allSettled(sockets.map((name) => ask(join(runDir, name))));
  const others = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  return mergeMetrics([...own, ...others]);
}
