import { afterAll, describe, expect, test } from 'bun:test';
import type { AskError } from '../../../clients/web/src/ask-types.ts';
import { createExperiments } from '../../../clients/web/src/experiments.ts';
import { createPurchases } from '../../../clients/web/src/purchases.ts';
import { serve } from '../../../src/app/serve.ts';
import { ACCESS } from '../../support/access/table.ts';
import { inReactNative } from '../../support/clients/react-native.ts';
import { testDatabase } from '../../support/postgres.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const logged: { level: string; fields: any }[] = [];
const listen = (level: string) => (fields: any) => {
  logged.push({ level, fields });
};
const service = await startTestService(await testDatabase(), {
  env: { PORT: '0' },
  with: ({ log }) => ({
    log: Object.assign(Object.create(log), {
      info: listen('info'),
      warn: listen('warn'),
      error: listen('error'),
    }),
  }),
});
const server = await serve(service.deps);
afterAll(() => server.stop());
const org = await createTestOrg(service);
const { appId, device } = await createTestApp(service, org.orgId);

const get = (path: string, headers: readonly string[]) =>
  sendRaw(server.address, [`GET ${path} HTTP/1.1`, ...headers]);

const codeOf = (body: string) => JSON.parse(body).error.code;

describe('the Host header', () => {
  test.each([
    'a b',
    '',
    'x:99999',
    '[::',
    ':',
    'x/y',
    'x?y',
    'user@x',
    'a%20b',
    'exämple',
    '1.2.3.999',
    'a,b',
  ])('"%s" is a 400', async (host) => {
    const answer = await get('/v1/apps', [`Host: ${host}`]);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).error).toMatchObject({ code: 'invalid_input' });
    expect(JSON.parse(answer.body).error.hint).toStartWith('host: ');
    expect(answer.headers.get('x-request-id')).toStartWith('req_');
  });

  test('two of them are a 400', async () => {
    expect((await get('/v1/apps', ['Host: x', 'Host: y'])).status).toBe(400);
  });

  test('none is a 400', async () => {
    const answer = await sendRaw(server.address, ['GET /v1/apps HTTP/1.0']);
    expect([answer.status, codeOf(answer.body)]).toEqual([400, 'invalid_input']);
    expect((await get('/v1/apps', [])).status).toBe(400);
  });

  test.each([
    'x',
    'ab',
    'api',
    'api:80',
    'control_plane-api_1',
    'api.default.svc.cluster.local:3000',
    '[::1]:3000',
    '127.0.0.1',
    'EXAMPLE.com.',
    'localhost:',
  ])('"%s" works and leaves the path as it is', async (host) => {
    const key = `x-api-key: ${org.key['x-api-key']}`;
    expect((await get('/v1/apps', [`Host: ${host}`, key])).status).toBe(200);
    for (const path of ['/v1/metrics', '/aa/openapi.json', '/v1/internal/analytics/sync-all']) {
      const answer = await get(path, [`Host: ${host}`]);
      expect([path, answer.status, codeOf(answer.body)]).toEqual([path, 404, 'not_found']);
    }
  });
});

describe('HEAD', () => {
  const fill = (path: string) => path.replace(':id', appId).replaceAll(/:\w+/g, 'nothing');
  const routes = Object.keys(ACCESS)
    .filter((route) => route.startsWith('GET '))
    .map((route) => fill(route.slice(4)));

  test.each(routes)('%s is GET without the body', async (path) => {
    const [asGet, asHead] = await Promise.all(
      ['GET', 'HEAD'].map((method) =>
        sendRaw(server.address, [`${method} ${path} HTTP/1.1`, 'Host: localhost']),
      ),
    );
    expect(asHead?.status).toBe(asGet?.status ?? 0);
    expect(asHead?.body).toBe('');
    expect(asHead?.headers.get('content-type')).toBe(asGet?.headers.get('content-type') ?? null);
  });

  test('a known caller gets the length of what GET would have sent', async () => {
    const url = `${server.address}/v1/apps/${appId}`;
    const asGet = await fetch(url, { headers: org.key });
    const asHead = await fetch(url, { method: 'HEAD', headers: org.key });
    expect(asHead.status).toBe(200);
    expect(await asHead.text()).toBe('');
    expect(asHead.headers.get('content-length')).toBe(
      String(Buffer.byteLength(await asGet.text())),
    );
  });
});

describe('a method that a path does not have', () => {
  test.each([
    ['GET', '/v1/events', 'OPTIONS, POST', 'Use POST.'],
    ['HEAD', '/v1/events', 'OPTIONS, POST', 'Use POST.'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS', 'Use GET.'],
    ['PATCH', '/v1/apps', 'GET, HEAD, OPTIONS, POST', 'Use GET, POST.'],
    ['PUT', '/v1/apps/import', 'OPTIONS, POST', 'Use POST.'],
    ['DELETE', '/v1/apps/app_1/keys', 'GET, HEAD, OPTIONS, POST', 'Use GET, POST.'],
    ['TRACE', '/docs', 'GET, HEAD, OPTIONS', 'Use GET.'],
    ['PROPFIND', '/v1/logs', 'GET, HEAD, OPTIONS, POST', 'Use GET, POST.'],
  ])('%s %s is a 405 that names those it has', async (method, path, allow, hint) => {
    const answer = await sendRaw(server.address, [`${method} ${path} HTTP/1.1`, 'Host: x']);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
    if (method === 'HEAD') return;
    const { error } = JSON.parse(answer.body);
    expect(error).toMatchObject({ code: 'method_not_allowed', hint });
  });

  test('OPTIONS names them as well', async () => {
    const answer = await sendRaw(server.address, ['OPTIONS /v1/events HTTP/1.1', 'Host: x']);
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'OPTIONS, POST']);
    const none = await sendRaw(server.address, ['OPTIONS /v1/nothing HTTP/1.1', 'Host: x']);
    expect(none.status).toBe(404);
  });

  test.each(['GET', 'OPTIONS', 'DELETE'])('%s of an internal path stays a 404', async (method) => {
    const request = [`${method} /internal/analytics/sync-all HTTP/1.1`, 'Host: x'];
    const answer = await sendRaw(server.address, request);
    expect([answer.status, codeOf(answer.body)]).toEqual([404, 'not_found']);
  });

  test('a path, a method and an id that are wrong can be told apart', async () => {
    const message = async (path: string, method = 'GET') =>
      (await service.call(path, { method, headers: org.key })).body.error.message;
    expect(await message('/v1/nothing')).toBe('There is no such route.');
    expect(await message('/v1/apps/app_none')).toBe('No such resource.');
    expect(await message('/v1/apps', 'PUT')).toBe('This path does not answer PUT.');
  });
});

describe('a path with a slash at its end', () => {
  test('is the same route, for browsers too', async () => {
    const headers = { origin: 'https://anybody.example', 'access-control-request-method': 'POST' };
    const preflight = await service.call('/v1/events/', { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    const answer = await service.call('/v1/events/', {
      body: { events: [] },
      headers: { ...device, origin: headers.origin },
    });
    expect(answer.body.error.code).toBe('invalid_batch');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('what is larger than the socket takes', () => {
  test('a body of 2 MB is our 413, with the envelope and the id of the request', async () => {
    const answer = await fetch(`${server.address}/v1/events`, {
      method: 'POST',
      headers: { ...device, 'content-type': 'application/json' },
      body: 'x'.repeat(2 * 1024 * 1024),
    });
    expect(answer.status).toBe(413);
    expect(answer.headers.get('x-request-id')).toStartWith('req_');
    expect(await answer.json()).toMatchObject({ error: { code: 'body_too_large' } });
  });
});

test.each([
  '/v1/apps/%ff%zz',
  '/v1/apps/%00',
  '/v1/apps?days=%zz&%ff=1',
  '/v1/auth/get-session?%',
  '//v1/apps',
  '/v1/apps/%2e%2e/x',
  '/v1/logs#x',
])('%s of a stranger is an answer below 500', async (path) => {
  const cookie = 'cookie: better-auth.session_token=%zz.%ff; a; =b; __proto__=x';
  expect((await get(path, ['Host: x', cookie])).status).toBeWithin(200, 500);
});

test('nothing of the above reached the log as an error', () => {
  expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
  expect(logged.filter(({ fields }) => fields?.err !== undefined)).toEqual([]);
  expect(logged.some(({ fields }) => fields?.status === 405)).toBe(true);
});

describe('a client with a mistaken address', () => {
  const origin = 'https://shop.example';
  test.each(['/v1/v1/events', '/v1/events/v1/events', '/shop/v1/experiments/'])(
    'can read in a page that %p is no route',
    async (path) => {
      const asks = { origin, 'access-control-request-method': 'POST' };
      const preflight = await service.call(path, { method: 'OPTIONS', headers: asks });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-headers')).toContain('x-service-key');
      const headers = { ...device, origin };
      const answer = await service.call(path, { body: { events: [] }, headers });
      expect(answer.status).toBe(404);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(codeOf(answer.text)).toBe('not_found');
    },
  );

  test('reads nothing of the routes of an organization', async () => {
    const headers = { ...org.key, origin };
    const answer = await service.call(`/v1/apps/${appId}/experiments`, { headers });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the modules of a shipped app in React Native', () => {
  // A busy machine is no answer that is late.
  const timeoutMs = 600_000;
  const options = { key: device['x-service-key'] ?? '', url: server.address, timeoutMs };
  const who = { anonymousId: 'device-of-phone-1' };

  test('are answered as the service answers', async () => {
    const assignment = await inReactNative(() =>
      createExperiments(options).assignment(who.anonymousId),
    );
    expect(assignment).toEqual({ onboarding: null, arm: null });
    const purchases = createPurchases(options);
    for (const productId of [undefined, 'pro.monthly']) {
      const entitlement = await inReactNative(() => purchases.entitlement(who, productId));
      expect(entitlement).toMatchObject({ entitled: false, status: 'none' });
    }
  });

  test('hear what is wrong with a key', async () => {
    const errors: AskError[] = [];
    const onError = (error: AskError) => errors.push(error);
    const experiments = createExperiments({ ...options, key: 'svp_mistyped', onError });
    expect(await experiments.assignment(who.anonymousId)).toBeNull();
    expect(errors).toMatchObject([{ code: 'refused', status: 401 }]);
    expect(errors[0]?.message).toContain('compare its start');
  });
});
