import { describe, expect, spyOn, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { createIntake } from '../../../src/app/routes.ts';
import { createSecret } from '../../../src/modules/keys/secret.ts';
import { basic, GZIP, intakeOf } from '../../support/intake.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const MEGABYTE = 1024 * 1024;
const service = await startTestService(await testDatabase(), {
  env: { TRUST_PROXY: '1', RATE_LIMIT_SCALE: '1' },
});
const { deps } = service;
const org = await createTestOrg(service);
const { serviceKey } = await createTestApp(service, org.orgId);
const send = intakeOf(service);
const intake = createIntake(deps, { isHeld: () => false });

const OTLP = '/v1/otlp/v1/logs';
const POSTHOG = '/v1/posthog/batch';
const PROTOBUF = { 'content-type': 'application/x-protobuf' };

let addresses = 0;
/** A sender without failures. */
const newAddress = () => {
  addresses += 1;
  return { 'x-forwarded-for': `198.51.${addresses >> 8}.${addresses & 255}` };
};

const message = (fields: object = {}) => ({
  event: 'App Opened',
  distinct_id: 'device-0001',
  properties: { $device_id: 'device-0001' },
  ...fields,
});

/** As PostHog's client for Python writes it. */
const pythonBatch = (bytes: number, key: string): string => {
  const one = () => message({ uuid: crypto.randomUUID(), library: 'posthog-python' });
  const count = Math.ceil(bytes / JSON.stringify(one()).length);
  const batch = Array.from({ length: count }, one);
  return JSON.stringify({ batch, historical_migration: false, sentAt: 'now', api_key: key });
};

/** A body that says how much of it was taken, and may stay open. */
function streamed(
  path: string,
  chunks: readonly Uint8Array[],
  { headers = {}, staysOpen = false },
) {
  const sent = { chunks: 0 };
  const end = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const chunk = chunks[sent.chunks];
        if (chunk) controller.enqueue(chunk);
        if (chunk) sent.chunks += 1;
        else {
          if (staysOpen) await end.promise;
          controller.close();
        }
      },
    },
    { highWaterMark: 0 },
  );
  const request = new Request(`http://localhost:3001${path}`, { method: 'POST', headers, body });
  return { sent, answer: intake.handle(request), end: end.resolve };
}

describe('without a key', () => {
  test.each<[string, Record<string, string>]>([
    ['/v1/segment/v1/batch', basic('svp_wrong')],
    [OTLP, {}],
    [OTLP, PROTOBUF],
    [OTLP, { authorization: 'Bearer svk_wrong' }],
  ])('nothing is read for %s %o', async (path, key) => {
    const headers = { ...newAddress(), ...GZIP, ...key };
    const { sent, answer } = streamed(path, [Buffer.from('no gzip')], { headers });
    expect((await answer).status).toBe(401);
    expect(sent.chunks).toBe(0);
  });

  const deep = '['.repeat(8 * MEGABYTE);
  const many = `{"batch":[${'{},'.repeat(2_700_000)}0]}`;
  test.each<[string, string, () => Uint8Array | string]>([
    ['no gzip', POSTHOG, () => 'no gzip'],
    ['half of gzip', POSTHOG, () => gzipSync(pythonBatch(60_000, 'phc_theirs')).subarray(0, 4_000)],
    ['brackets', POSTHOG, () => gzipSync(deep.slice(0, 60_000))],
    ['objects', '/v1/segment/v1/batch', () => gzipSync(many.slice(0, 60_000))],
    ['objects', '/v1/amplitude/2/httpapi', () => gzipSync(many.slice(0, 60_000))],
    ['a question', '/v1/posthog/flags', () => gzipSync('{"distinct_id":"a"}')],
  ])('%s to %s is 401, and not parsed', async (_, path, body) => {
    const parse = spyOn(JSON, 'parse');
    const { status } = await send(path, body(), { ...newAddress(), ...GZIP });
    const parsed = parse.mock.calls.filter(([text]) => text.length > 15);
    parse.mockRestore();
    expect([status, parsed]).toEqual([401, []]);
  });

  test.each([deep, many])(
    'gzip that unpacks to more than 200 times its size is 413',
    async (text) => {
      const answer = await send(POSTHOG, gzipSync(text), { ...newAddress(), ...GZIP });
      expect([answer.status, answer.body.error.hint]).toEqual([
        413,
        'body: at most 200 times as large unpacked as sent',
      ]);
    },
  );

  test.each<[string, string | Uint8Array, Record<string, string>]>([
    [POSTHOG, '{"api_key":"phc_theirs"}', {}],
    [POSTHOG, gzipSync(deep), GZIP],
    ['/v1/amplitude/2/httpapi', '{}', {}],
    ['/v1/segment/v1/batch', '{}', basic('wrong')],
    [OTLP, '{}', {}],
  ])('an address gets 429 by %s after 60 failures', async (path, body, headers) => {
    const known = JSON.stringify({ api_key: serviceKey, batch: [message()] });
    expect((await send(POSTHOG, known, newAddress())).status).toBe(200);
    const stranger = newAddress();
    const statuses = new Map<number, number>();
    for (let sent = 0; sent < 65; sent += 1) {
      const { status } = await send(path, body, { ...stranger, ...headers });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses.get(429)).toBe(5);
    expect((await send(POSTHOG, known, stranger)).status).toBe(200);
  });

  test('of an address that failed too often 64 KB are looked at', async () => {
    const stranger = newAddress();
    for (let sent = 0; sent < 60; sent += 1) await send(POSTHOG, '{}', stranger);
    const chunks = Array.from({ length: 64 }, () => Buffer.alloc(16 * 1024, ' '));
    const { sent, answer } = streamed(POSTHOG, chunks, { headers: stranger });
    expect((await answer).status).toBe(429);
    expect(sent.chunks).toBeLessThan(8);
  });

  test('what waits is bounded by address, and a key makes room', async () => {
    const [sender, other] = [newAddress(), newAddress()];
    const part = Buffer.alloc(7 * MEGABYTE, ' ');
    const open = [1, 2].map(() => streamed(POSTHOG, [part], { headers: sender, staysOpen: true }));
    await until('both parts are taken', () => open.every(({ sent }) => sent.chunks === 1));
    const third = streamed(POSTHOG, [part], { headers: sender });
    const refused = await third.answer;
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const elsewhere = await send(POSTHOG, pythonBatch(100_000, serviceKey), other);
    expect(elsewhere.status).toBe(200);
    for (const { end } of open) end();
    for (const { answer } of open) expect((await answer).status).toBe(401);
    const keyed = Buffer.from(JSON.stringify({ api_key: serviceKey, batch: [message()] }));
    const known = [1, 2, 3].map(() =>
      streamed(POSTHOG, [keyed, part], { headers: sender, staysOpen: true }),
    );
    await until('all parts are taken', () => known.every(({ sent }) => sent.chunks === 2));
    for (const { end } of known) end();
    for (const { answer } of known) expect((await answer).status).toBe(200);
  });
});

describe('the key of a body', () => {
  test.each<[string, (text: string) => [Uint8Array, Record<string, string>]]>([
    ['as it is', (text) => [Buffer.from(text), {}]],
    ['as gzip', (text) => [gzipSync(text), GZIP]],
    ['as gzip that says nothing', (text) => [gzipSync(text), {}]],
    [
      'as a form',
      (text) => [
        Buffer.from(`data=${encodeURIComponent(Buffer.from(text).toString('base64'))}&ver=1`),
        { 'content-type': 'application/x-www-form-urlencoded' },
      ],
    ],
  ])('is found at the end of a batch of 1 MB %s', async (_, pack) => {
    const [body, headers] = pack(pythonBatch(MEGABYTE, serviceKey));
    expect(body.length).toBeGreaterThan(100_000);
    expect((await send(POSTHOG, body, { ...newAddress(), ...headers })).status).toBe(200);
    const [wrong] = pack(pythonBatch(MEGABYTE, 'phc_theirs'));
    expect((await send(POSTHOG, wrong, { ...newAddress(), ...headers })).status).toBe(401);
  });

  test('is looked up while the rest of gzip is on its way', async () => {
    const text = JSON.stringify({ api_key: serviceKey, batch: [message()] });
    const padded = gzipSync(text.padEnd(200_000), { level: 0 });
    const chunks = [padded.subarray(0, 100_000), padded.subarray(100_000)];
    const { answer } = streamed(POSTHOG, chunks, { headers: { ...newAddress(), ...GZIP } });
    expect((await answer).status).toBe(200);
  });

  test('counts where the product has it, not deeper, and the outer one wins', async () => {
    const other = await createTestApp(service, org.orgId);
    const of = (fields: object) =>
      send(POSTHOG, JSON.stringify(fields), newAddress()).then(({ status }) => status);
    const nested = message({ properties: { api_key: serviceKey, deeper: { token: serviceKey } } });
    expect(await of({ batch: [nested] })).toBe(401);
    expect(await of({ batch: [message()], note: `my key is ${serviceKey}` })).toBe(401);
    expect(await of({ batch: [nested], api_key: 'svp_wrong' })).toBe(401);
    const append = spyOn(deps.events, 'append');
    expect(await of({ batch: [nested], api_key: other.serviceKey })).toBe(200);
    const appended = append.mock.calls.map(([{ app }]) => app);
    append.mockRestore();
    expect(appended).toEqual([other.appId]);
  });

  test('may be written with escapes', async () => {
    const escaped = (text: string) =>
      [...text].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    const body = `{"batch":[${JSON.stringify(message())}],"${escaped('api_key')}":"${escaped(serviceKey)}"}`;
    expect((await send(POSTHOG, body, newAddress())).status).toBe(200);
  });

  test('is found behind many texts that look like keys of others', async () => {
    const texts = Array.from({ length: 100 }, () => createSecret().secret);
    const body = {
      batch: texts.map((text) => message({ properties: { text } })),
      api_key: serviceKey,
    };
    const sender = newAddress();
    expect((await send(POSTHOG, JSON.stringify(body), sender)).status).toBe(200);
    await deps.rateLimits.check('failedAuthentication', sender['x-forwarded-for']);
  });
});

describe('with a key', () => {
  const wrap = (tag: number, inner: Buffer): Buffer => {
    const length: number[] = [];
    for (let rest = inner.length; rest > 0; rest = Math.floor(rest / 128)) {
      length.push((rest % 128) + (rest > 127 ? 128 : 0));
    }
    return Buffer.concat([Buffer.from([tag, ...length]), inner]);
  };
  const empty = (tag: number, count: number) => Buffer.alloc(count * 2).fill(Buffer.from([tag, 0]));
  const [RESOURCE, SCOPE, RECORD, ATTRIBUTE, UNKNOWN] = [0x0a, 0x12, 0x12, 0x32, 0x7a];
  const inScope = (inner: Buffer) => wrap(RESOURCE, wrap(SCOPE, inner));
  /** Keeps gzip from being too good. */
  const noise = wrap(UNKNOWN, randomBytes(20_000));
  const MANY_PARTS = 'body: at most 600000 attributes and values';

  test.each<[string, string, Buffer]>([
    ['records', MANY_PARTS, inScope(empty(RECORD, 600_001))],
    ['resources', MANY_PARTS, empty(RESOURCE, 600_001)],
    [
      'attributes',
      MANY_PARTS,
      inScope(Buffer.concat(Array(13).fill(wrap(RECORD, empty(ATTRIBUTE, 49_999))))),
    ],
  ])('protobuf of too many empty %s is 413', async (_, hint, parts) => {
    const body = gzipSync(Buffer.concat([parts, noise]));
    const answer = await send(OTLP, body, { ...org.key, ...PROTOBUF, ...GZIP });
    expect([answer.status, answer.body.error.hint]).toEqual([413, hint]);
  });

  test.each<[string, Buffer]>([
    ['a record of too many attributes', wrap(RECORD, empty(ATTRIBUTE, 50_001))],
    ['half of a record', wrap(RECORD, Buffer.from([ATTRIBUTE, 5, 0]))],
  ])('%s costs itself only, and is not decoded', async (_, record) => {
    const body = gzipSync(Buffer.concat([inScope(record), noise]));
    const headers = { 'content-length': String(body.length), ...org.key, ...PROTOBUF, ...GZIP };
    const request = new Request(`http://localhost:3001${OTLP}`, { method: 'POST', headers, body });
    const answer = await intake.handle(request);
    expect([answer.status, (await answer.bytes()).length > 0]).toEqual([200, true]);
  });

  test.each<[string, string]>([
    ['{}', '{"a":1}'],
    ['[]', '[1]'],
    ['1', '1'],
  ])('JSON of more than a million %s is 413, and not parsed', async (_, value) => {
    const body = JSON.stringify({ api_key: serviceKey, batch: [] });
    const text = body.replace('[]', `[${`${value},`.repeat(1_000_001)}0]`);
    const parse = spyOn(JSON, 'parse');
    const answer = await send(POSTHOG, text, newAddress());
    const parsed = parse.mock.calls.filter(([json]) => json.length > 1_000_000);
    parse.mockRestore();
    expect([answer.status, answer.body.error.hint, parsed]).toEqual([
      413,
      'body: at most 1000000 values',
      [],
    ]);
  });

  test('texts may hold any number of brackets and commas', async () => {
    const properties = { text: '[{,"\\'.repeat(5_000) };
    const batch = Array.from({ length: 70 }, () => message({ properties }));
    const body = JSON.stringify({ api_key: serviceKey, batch });
    const answer = await send(POSTHOG, body, newAddress());
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(/^size: /)]);
  });

  test('a form with a million other fields is read', async () => {
    const data = Buffer.from(JSON.stringify({ api_key: serviceKey, batch: [message()] }));
    const form = `data=${encodeURIComponent(data.toString('base64'))}${'&a'.repeat(1_000_000)}`;
    expect((await send(POSTHOG, form, newAddress())).status).toBe(200);
  });
});
