import { describe, expect, test } from 'bun:test';
import { AppError } from '../../../src/shared/errors.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const org = await createTestOrg(service);
const { appId, device, serviceKey } = await createTestApp(service, org.orgId);

const expectEnvelope = (answer: { status: number; body: any; headers: Headers }, code: string) => {
  expect(answer.body.error.code).toBe(code);
  expect(answer.body.error.message).toMatch(/\.$/);
  expect(Object.keys(answer.body)).toEqual(['error']);
  expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  expect(answer.headers.get('content-type')).toContain('application/json');
};

describe('one envelope for everything that can go wrong', () => {
  test.each([
    ['GET', '/v1/nothing'],
    ['GET', '/'],
    ['POST', '/v1/apps/x/nothing'],
  ])('%s %s is a 404', async (method, path) => {
    const answer = await service.call(path, { method, headers: org.key });
    expect(answer.status).toBe(404);
    expectEnvelope(answer, 'not_found');
  });

  test.each([
    ['PATCH', '/v1/apps'],
    ['POST', '/healthz'],
  ])('%s %s is a 405', async (method, path) => {
    const answer = await service.call(path, { method, headers: org.key });
    expect(answer.status).toBe(405);
    expectEnvelope(answer, 'method_not_allowed');
  });

  test.each(['{"slug":', '{', 'nothing', '{"a":1}}', '[1,]'])('malformed JSON %s', async (text) => {
    const answer = await service.call('/v1/apps', { rawBody: text, headers: org.key });
    expect(answer.status).toBe(400);
    expectEnvelope(answer, 'malformed_json');
  });

  const unseen = ['  ', '\t', '\u00a0\u3000'];
  test.each([
    ...unseen.map((name) => ['/v1/apps', { slug: 'one', displayName: name }, 'displayName']),
    ['/v1/apps', { slug: 'one', displayName: 'half \ud83d' }, 'displayName'],
    [`/v1/apps/${appId}/keys`, { name: ' ' }, 'name'],
    [`/v1/apps/${appId}/onboardings`, { name: ' ', config: {} }, 'name'],
  ] as [string, object, string][])('%s %j names the field', async (path, body, field) => {
    const answer = await service.call(path, { body, headers: org.key });
    expect(answer.status).toBe(400);
    expectEnvelope(answer, 'invalid_input');
    expect(answer.body.error.hint).toStartWith(`${field}: `);
    expect(answer.body.error.hint).toContain('not only blanks');
  });

  test.each([true, false])(
    'bytes that are no UTF-8 name the field (length said: %p)',
    async (said) => {
      const bytes = Buffer.concat([
        Buffer.from('{"slug":"one","displayName":"a'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('b"}'),
      ]);
      const answer = await service.call('/v1/apps', {
        rawBody: new Response(bytes).body!,
        headers: { ...org.key, ...(said && { 'content-length': String(bytes.length) }) },
      });
      expect(answer.status).toBe(400);
      expectEnvelope(answer, 'malformed_json');
      expect(answer.body.error.hint).toBe('displayName: must be UTF-8');
    },
  );

  test.each(['[]', 'null', '1', '"text"'])('a body that is %s', async (text) => {
    const answer = await service.call('/v1/apps', { rawBody: text, headers: org.key });
    expect(answer.status).toBe(400);
    expectEnvelope(answer, 'invalid_input');
  });

  test('no body where one is needed', async () => {
    const answer = await service.call('/v1/apps', { method: 'POST', headers: org.key });
    expect(answer.status).toBe(400);
    expectEnvelope(answer, 'invalid_input');
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    '',
  ])('content type "%s" is a 415', async (type) => {
    const answer = await service.call('/v1/apps', {
      body: { slug: 'abc', displayName: 'x' },
      headers: { ...org.key, 'content-type': type },
    });
    expect(answer.status).toBe(415);
    expectEnvelope(answer, 'unsupported_media_type');
  });

  test('a compressed body is a 415 that says so', async () => {
    const answer = await service.call('/v1/apps', {
      body: { slug: 'abc', displayName: 'x' },
      headers: { ...org.key, 'content-encoding': 'gzip' },
    });
    expect(answer.status).toBe(415);
    expectEnvelope(answer, 'unsupported_media_type');
    expect(answer.body.error.hint).toContain('Content-Encoding');
  });

  test('application/json with a charset is JSON', async () => {
    const answer = await service.call('/v1/apps', {
      body: { slug: 'charset-app', displayName: 'x' },
      headers: { ...org.key, 'content-type': 'Application/JSON; charset=utf-8' },
    });
    expect(answer.status).toBe(201);
  });

  test('a body over 64 KB is a 413, before the caller is looked at', async () => {
    const answer = await service.call('/v1/apps', { rawBody: `"${'x'.repeat(65_536)}"` });
    expect(answer.status).toBe(413);
    expectEnvelope(answer, 'body_too_large');
  });

  test('a body over 64 KB without a Content-Length is a 413, and the rest is not read', async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += 16_384;
        controller.enqueue(new Uint8Array(16_384).fill(0x20));
      },
    });
    const answer = await service.call('/v1/apps', { rawBody: endless, headers: org.key });
    expect(answer.status).toBe(413);
    expectEnvelope(answer, 'body_too_large');
    expect(sent).toBeLessThan(64 * 1024 * 4);
  });

  test('a body of exactly 64 KB is read', async () => {
    const padding = ' '.repeat(65_536 - 45);
    const body = `{"slug":"just-fits-app","displayName":"fits!"${padding}}`.slice(0, 65_535);
    const answer = await service.call('/v1/apps', {
      rawBody: `${body.trimEnd().replace(/\}$/, '')}${' '.repeat(10)}}`,
      headers: org.key,
    });
    expect(answer.status).toBe(201);
  });

  test('a crash tells nothing', async () => {
    const { deps } = service;
    const real = deps.rateLimits.take;
    deps.rateLimits.take = () => Promise.reject(new Error('secret detail of the inside'));
    const answer = await service.call('/v1/apps', { headers: org.key });
    deps.rateLimits.take = real;
    expect(answer.status).toBe(500);
    expectEnvelope(answer, 'internal');
    expect(answer.text).not.toContain('secret detail');
  });

  test('an error with a time says when to come back', async () => {
    const { deps } = service;
    const real = deps.rateLimits.take;
    deps.rateLimits.take = () =>
      Promise.reject(new AppError('unavailable', 'Not now.', { retryAfterSeconds: 7 }));
    const answer = await service.call('/v1/apps', { headers: org.key });
    deps.rateLimits.take = real;
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('7');
  });
});

describe('who is calling', () => {
  test.each([
    ['nothing', {}, 'not_signed_in'],
    ['an unknown key', { 'x-api-key': 'svk_unknown' }, 'invalid_api_key'],
    ['garbage', { authorization: 'Bearer ☃'.replace('☃', 'zzz') }, 'invalid_api_key'],
    ['a publishable key as API key', { 'x-api-key': serviceKey }, 'invalid_api_key'],
    ['a publishable key', device, 'not_signed_in'],
    ['two different keys', { ...org.key, authorization: 'Bearer svk_other' }, 'invalid_api_key'],
  ] as [string, Record<string, string>, string][])('%s is a 401', async (_, headers, code) => {
    const answer = await service.call('/v1/apps', { headers });
    expect(answer.status).toBe(401);
    expectEnvelope(answer, code);
  });

  test('an organization key counts as x-api-key, as Bearer, and twice the same', async () => {
    const bearer = { authorization: `Bearer ${org.apiKey}` };
    for (const headers of [org.key, bearer, { ...org.key, ...bearer }]) {
      expect((await service.call(`/v1/apps/${appId}`, { headers })).status).toBe(200);
    }
  });

  test('the caller comes before the body: 401 with malformed JSON', async () => {
    expect((await service.call('/v1/apps', { rawBody: '{' })).status).toBe(401);
  });
});

describe('limits', () => {
  test('every limited answer tells the state of the limit', async () => {
    const answer = await service.call('/v1/apps', { headers: org.key });
    expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=240000;w=60');
    expect(answer.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/);
  });

  test('the 241st request of a minute is a 429 with Retry-After, also for errors', async () => {
    const strict = await startTestService(await testDatabase(), { env: { RATE_LIMIT_SCALE: '1' } });
    const own = await createTestOrg(strict);
    const answers = await Promise.all(
      Array.from({ length: 241 }, () => strict.call('/v1/apps/none', { headers: own.key })),
    );
    const statuses = Map.groupBy(answers, (answer) => answer.status);
    expect(statuses.get(404)?.length).toBe(240);
    const refused = statuses.get(429)?.[0];
    expectEnvelope(refused!, 'rate_limited');
    expect(Number(refused!.headers.get('retry-after'))).toBeWithin(1, 61);
    expect(refused!.headers.get('ratelimit')).toStartWith('"default";r=0;');
  });

  test('failed authentications are limited by address', async () => {
    const strict = await startTestService(await testDatabase(), { env: { RATE_LIMIT_SCALE: '1' } });
    const statuses = await Promise.all(
      Array.from({ length: 61 }, async () => (await strict.call('/v1/apps')).status),
    );
    expect(statuses.filter((status) => status === 401).length).toBe(60);
    expect(statuses.filter((status) => status === 429).length).toBe(1);
  });
});

describe('browsers', () => {
  const preflight = (path: string, origin: string) =>
    service.call(path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });

  test('device routes answer preflights of any origin', async () => {
    const answer = await preflight('/v1/events', 'https://anybody.example');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-headers')).toContain('x-service-key');
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(3_600);
  });

  test('console routes answer only the configured origins', async () => {
    const foreign = await preflight('/v1/apps', 'https://anybody.example');
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    expect(foreign.headers.get('access-control-allow-methods')).toBeNull();
    const own = await preflight('/v1/apps', 'http://127.0.0.1:3000');
    expect(own.status).toBe(204);
    expect(own.headers.get('access-control-allow-credentials')).toBe('true');
  });
});

describe('documentation', () => {
  test('the viewer loads nothing from another host', async () => {
    const page = await service.call('/docs');
    expect(page.status).toBe(200);
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) {
      expect(asset).toStartWith('/docs/');
      expect((await service.call(asset)).status).toBe(200);
    }
    expect((await service.call('/docs/package.json')).status).toBe(404);
  });
});
