import { expect, test } from 'bun:test';
import { bundle } from '../../../clients/web/build.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestService } from '../../support/service.ts';

const { call } = await startTestService(await testDatabase());
const elsewhere = { origin: 'https://app.example' };

test('/client.js is the script of the web client, for pages of every origin', async () => {
  const answer = await call('/client.js', { headers: elsewhere });
  expect(answer.status).toBe(200);
  expect(answer.text).toBe(await bundle('script.ts', 'iife'));
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
