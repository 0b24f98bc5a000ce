import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClientOn } from '../../../clients/web/src/client.ts';
import type { Host } from '../../../clients/web/src/host.ts';
import { must } from '../../../src/shared/assert.ts';
import { startServed } from '../../support/clients/served.ts';
import { World } from '../../support/clients/world.ts';
import { ROOT } from '../../support/sources.ts';
import { until } from '../../support/until.ts';

const { url, app } = await startServed();

const failsToFetch: Host['fetch'] = () => Promise.reject(new TypeError('Failed to fetch'));
type Setting = { key: string; fetch: Host['fetch'] };
/** What brings each of the answers about that docs/clients.md quotes. */
const SETTINGS: Readonly<Record<string, Setting>> = {
  '202': { key: app.serviceKey, fetch },
  '401 invalid_service_key': { key: `svp_${'a'.repeat(40)}`, fetch },
  'no answer:': { key: app.serviceKey, fetch: failsToFetch },
};

const document = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
const quoted = [...document.matchAll(/^control-plane: (\S+) → (.*)$/gm)].map(
  ([line, names = '', answer = '']) => ({ line, names: names.split(','), answer }),
);

/** What a client with `debug` says of a batch of these events. */
async function lineOf(names: readonly string[], { key, fetch: ask }: Setting): Promise<string> {
  const world = new World();
  const client = createClientOn({ ...world.host(), fetch: ask }, { key, url, debug: true });
  for (const name of names) client.track(name);
  void client.flush();
  return until('the batch has its answer', () =>
    world.lines.find((line) => line.startsWith('control-plane: ')),
  );
}

test('docs/clients.md quotes what the service and the engine answer', async () => {
  expect(quoted.length).toBeGreaterThan(2);
  for (const { line, names, answer } of quoted) {
    const [, setting] = Object.entries(SETTINGS).find(([start]) => answer.startsWith(start)) ?? [];
    const said = await lineOf(names, must(setting, `"${answer}" can be brought about`));
    if (!line.endsWith(' …')) expect(said).toBe(line);
    else expect(said).toStartWith(line.slice(0, -1));
  }
});
