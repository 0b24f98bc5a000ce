import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBundle, hashFile, isComplete, MANIFEST } from '../../../src/launcher/bundle/find.ts';
import { must } from '../../../src/shared/assert.ts';
import { bootstrapClient } from '../../support/crash-client.ts';
import { temporaryFolder } from '../../support/events.ts';
import { commandOf, startInstance } from '../../support/instance.ts';
import { ROOT } from '../../support/sources.ts';

const bundle = must(findBundle(console), 'the run of tests has built it');

const READ = [
  '/docs',
  '/docs/swagger-ui.css',
  '/openapi.json',
  '/',
  '/help',
  '/client.js',
  '/clients/web.tgz',
  '/clients/maven/controlplane/control-plane-events/maven-metadata.xml',
];

test('processes run from the bundle and find all files of the installation', async () => {
  const instance = await startInstance();
  const children = instance.children();
  for (const role of ['api', 'compactor', 'query', 'worker']) {
    expect(commandOf(must(children[role], role))).toContain(bundle);
  }
  for (const path of READ) {
    const { status } = await fetch(instance.url + path, { headers: { accept: '*/*' } });
    expect([path, status]).toEqual([path, 200]);
  }
  const client = bootstrapClient(instance, 'bundle');
  const answer = await client.call('POST', '/v1/sql', { sql: 'SELECT 1' });
  expect(await answer.json()).toMatchObject({ rows: [[1]] });
  const libraries = readFileSync(`/proc/${children.api}/maps`, 'utf8');
  expect(libraries).not.toContain('duckdb');
  expect(await instance.stop()).toBe(0);
});

test('stack traces name files and lines of the sources', () => {
  const { stderr } = Bun.spawnSync([process.execPath, join(bundle, 'server.js'), '0', 'api'], {
    env: { PORT: 'x' },
  });
  const lines = readFileSync(join(ROOT, 'src/config.ts'), 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes('throw new ConfigError')) + 1;
  expect(stderr.toString()).toContain(`${ROOT}/src/config.ts:${line}:`);
  expect(stderr.toString()).toContain(`${ROOT}/src/app/processes/run.ts:`);
});

test('a bundle that is cut off or lacks a file is not complete', () => {
  const folder = temporaryFolder('bundle');
  mkdirSync(folder, { recursive: true });
  const entry = join(folder, 'query.js');
  expect(isComplete(folder)).toBe(false);
  writeFileSync(entry, 'void 0;');
  writeFileSync(join(folder, MANIFEST), JSON.stringify({ 'query.js': hashFile(entry) }));
  expect(isComplete(folder)).toBe(true);
  writeFileSync(entry, 'void');
  expect(isComplete(folder)).toBe(false);
});
