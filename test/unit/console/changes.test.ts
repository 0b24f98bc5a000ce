import { beforeEach, describe, expect, test } from 'bun:test';
import { changed, noticing, noting } from '../../../src/console/state/changes.ts';

const HOST = 'https://control.example.com';
const send = noticing(
  async (url) => new Response(null, { status: url.endsWith('/no') ? 403 : 200 }),
);
const ask = (method: string, path: string) => send(`${HOST}${path}`, { method });

beforeEach(() => {
  changed.value = null;
});

describe('what a change of the service outdates', () => {
  test.each([
    ['PATCH', '/v1/apps/app_1/flags/flag_1', '/v1/apps/app_1/flags'],
    ['POST', '/v1/apps/app_1/preview', '/v1/apps/app_1/preview'],
    ['DELETE', '/v1/apps/app_1', '/v1/apps'],
    ['POST', '/v1/apps/import', '/v1/apps'],
    ['POST', '/v1/auth/organization/remove-member', '/v1/auth'],
    ['PUT', '/v1/digests', '/v1/digests'],
  ])('%s %s is one of %s', async (method, path, part) => {
    await ask(method, path);
    expect(changed.value).toEqual({ part });
  });

  test.each([
    ['GET', '/v1/apps/app_1/flags'],
    ['POST', '/v1/apps/app_1/questions/answer'],
    ['POST', '/v1/apps/app_1/segments/preview'],
    ['POST', '/v1/sql'],
    ['DELETE', '/v1/organization'],
    ['PATCH', '/v1/apps/app_1/no'],
  ])('%s %s outdates nothing', async (method, path) => {
    await ask(method, path);
    expect(changed.value).toBeNull();
  });

  test('a fetch is noted with the parts that it reads', async () => {
    const parts = new Set<string>();
    await noting(parts, () =>
      Promise.all([
        ask('GET', '/v1/apps/app_1/flags/flag_1/versions'),
        ask('GET', '/v1/webhooks?limit=2'),
        ask('POST', '/v1/sql'),
      ]),
    );
    await ask('GET', '/v1/apps');
    expect([...parts]).toEqual(['/v1/apps/app_1/flags', '/v1/webhooks']);
  });
});
