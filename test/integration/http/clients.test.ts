import { expect, test } from 'bun:test';
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
