import { expect, test } from 'bun:test';
import { kotlinModules } from '../../../clients/kotlin.ts';
import { mavenRepository } from '../../../clients/maven.ts';
import { bundle, CLIENT_NAMES, pack } from '../../../clients/pack.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestService } from '../../support/service.ts';

const { call } = await startTestService(await testDatabase());
const elsewhere = { origin: 'https://app.example' };

test('/client.js is the script of the web client, for pages of every origin', async () => {
  const answer = await call('/client.js', { headers: elsewhere });
  expect(answer.status).toBe(200);
  expect(answer.text).toBe(await bundle('web', 'script.ts', 'iife'));
  expect(answer.text).toContain('ControlPlane');
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(answer.headers.get('set-cookie')).toBeNull();
});

test('who has this version of it is told so', async () => {
  const { headers } = await call('/client.js');
  const etag = headers.get('etag') ?? '';
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const answer = await call('/client.js', { headers: { 'if-none-match': known } });
    expect([answer.status, answer.text]).toEqual([304, '']);
    expect(answer.headers.get('etag')).toBe(etag);
  }
  const other = await call('/client.js', { headers: { 'if-none-match': '"other"' } });
  expect(other.status).toBe(200);
});

test('the clients are packages under a name that stays and under one that says which bytes they are', async () => {
  for (const name of CLIENT_NAMES) {
    const { fileName, bytes } = await pack(name);
    expect(fileName).toMatch(/^control-plane-(web|api)-\d+\.\d+\.\d+-[0-9a-f]{12}\.tgz$/);
    const newest = await call(`/clients/${name}.tgz`, { headers: elsewhere });
    const named = await call(`/clients/${fileName}`);
    for (const answer of [newest, named]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/gzip');
      expect(answer.headers.get('content-location')).toBe(`/clients/${fileName}`);
      expect(answer.headers.get('etag')).toBe(newest.headers.get('etag'));
      expect(answer.text).toBe(new TextDecoder().decode(bytes));
    }
    expect(newest.headers.get('cache-control')).toBe('no-cache');
    expect(named.headers.get('cache-control')).toContain('immutable');
  }
});

test('a package that is not of this release is answered with where the clients are', async () => {
  for (const file of ['control-plane-web-1.0.0-000000000000.tgz', 'other.tgz', '..%2Fpack.ts']) {
    const answer = await call(`/clients/${file}`);
    expect(answer.status).toBe(404);
    expect(answer.body.error.hint).toContain('/clients/web.tgz');
  }
});

test('the Maven repository has each file with its checksums, under a version that never changes', async () => {
  const { version, modules } = kotlinModules();
  const artifact = '/clients/maven/controlplane/control-plane-events';
  const jar = `${artifact}/${version}/control-plane-events-${version}.jar`;
  const answer = await call(jar);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/java-archive');
  expect(answer.headers.get('cache-control')).toContain('immutable');
  const etag = answer.headers.get('etag') ?? '';
  expect((await call(jar, { headers: { 'if-none-match': etag } })).status).toBe(304);
  const metadata = await call(`${artifact}/maven-metadata.xml`);
  expect(metadata.headers.get('cache-control')).toBe('no-cache');
  expect(metadata.headers.get('content-type')).toBe('text/xml; charset=utf-8');
  expect(metadata.text).toContain(`<release>${version}</release>`);
  for (const kind of ['md5', 'sha1', 'sha256', 'sha512'] as const) {
    const checksum = await call(`${artifact}/maven-metadata.xml.${kind}`);
    expect(checksum.text).toBe(new Bun.CryptoHasher(kind).update(metadata.text).digest('hex'));
    expect(checksum.headers.get('cache-control')).toBe('no-cache');
    expect(checksum.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  }
  expect(mavenRepository().size).toBe(modules.length * 4 * 5);
});

test('a file of another version is answered with where this version stands', async () => {
  for (const path of ['controlplane/control-plane-events/0.0.1/x.jar', '', '..%2Fpack.ts']) {
    const answer = await call(`/clients/maven/${path}`);
    expect(answer.status).toBe(404);
    expect(answer.body.error.hint).toContain('maven-metadata.xml');
  }
});
