import { expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declareInto } from '../../../clients/declare.ts';
import { bundle, CLIENT_NAMES, filesOf, pack } from '../../../clients/pack.ts';

const LIMIT_BYTES = 5_200;

test('both files of the web client stay about 5 KB, compressed', async () => {
  for (const [entry, format] of [
    ['index.ts', 'esm'],
    ['script.ts', 'iife'],
  ] as const) {
    const size = Bun.gzipSync(await bundle('web', entry, format)).length;
    expect(size, `${entry}: ${size} bytes`).toBeLessThanOrEqual(LIMIT_BYTES);
  }
});

test('the ES module can be imported where there is no browser', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'web-client-')), 'index.js');
  await Bun.write(file, await bundle('web', 'index.ts'));
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

const CLIENTS = join(import.meta.dir, '../../../clients');
const temporary = () => mkdtempSync(join(tmpdir(), 'client-types-'));

test('the declarations that the packages carry are those of the sources (`bun clients/declare.ts`)', async () => {
  for (const client of CLIENT_NAMES) {
    const folder = temporary();
    await declareInto(client, folder);
    const kept = join(CLIENTS, client, 'types');
    expect(readdirSync(kept).toSorted()).toEqual(readdirSync(folder).toSorted());
    for (const name of readdirSync(folder)) {
      const [now, before] = [folder, kept].map((path) => readFileSync(join(path, name), 'utf8'));
      expect(now).toBe(before ?? '');
    }
  }
}, 1_200_000);

test('a package has what its manifest names, no source, and no dependency', async () => {
  for (const client of CLIENT_NAMES) {
    const files = await filesOf(client);
    const manifest = JSON.parse(files['package.json'] ?? '{}');
    const named = JSON.stringify(manifest).match(/"\.\/[^"]+\.[^"]+"/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    for (const name of named.map((one) => one.slice(3, -1)))
      expect(Object.keys(files)).toContain(name);
    expect(Object.keys(files).filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([]);
    for (const field of [
      'dependencies',
      'devDependencies',
      'peerDependencies',
      'scripts',
      'private',
    ]) {
      expect([client, field, manifest[field]]).toEqual([client, field, undefined]);
    }
  }
});

test('the same sources make the same bytes', async () => {
  for (const client of CLIENT_NAMES) expect(await pack(client)).toEqual(await pack(client));
});
