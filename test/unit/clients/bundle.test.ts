import { expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../../clients/web/build.ts';

const LIMIT_BYTES = 5_000;

test('both files of the web client stay under 5 KB, compressed', async () => {
  for (const [entry, format] of [
    ['index.ts', 'esm'],
    ['script.ts', 'iife'],
  ] as const) {
    const size = Bun.gzipSync(await bundle(entry, format)).length;
    expect(size, `${entry}: ${size} bytes`).toBeLessThanOrEqual(LIMIT_BYTES);
  }
});

test('the ES module can be imported where there is no browser', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'web-client-')), 'index.js');
  await Bun.write(file, await bundle('index.ts', 'esm'));
  const { createClient } = await import(file);
  const client = createClient({ key: 'svp_test', url: 'http://127.0.0.1:1' });
  client.track('app_opened');
  client.stop();
  expect(Object.keys(client).toSorted()).toEqual([
    'anonymousId',
    'flush',
    'identify',
    'optIn',
    'optOut',
    'reset',
    'screen',
    'stop',
    'track',
  ]);
});
