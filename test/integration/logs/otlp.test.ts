import { describe, expect, test } from 'bun:test';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { GZIP, intakeOf, intakeRequests, type Recorded, zipped } from '../../support/intake.ts';
import json from '../../fixtures/wire/otlp-node-json.json';
import protobuf from '../../fixtures/wire/otlp-node-protobuf.json';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';

/** The recordings are of January. */
const now = new Date('2026-01-04T00:00:00Z');
const service = await startTestService(await testDatabase(), {
  with: () => ({ clock: () => now }),
});
const { call, deps } = service;
const send = intakeOf(service);
const ask = intakeRequests(service);
const PATH = '/v1/otlp/v1/logs';
const ZSTD = { 'content-encoding': 'zstd' };
const PROTOBUF = { 'content-type': 'application/x-protobuf' };

async function newOrg() {
  const { key } = await createTestOrg(service);
  const list = async (query = '') => (await call(`/v1/logs${query}`, { headers: key })).body;
  const post = (body: unknown) =>
    send(PATH, JSON.stringify(body), { ...key, 'content-type': 'application/json' });
  return { key, list, post };
}

const logs = (logRecords: unknown[], attributes: unknown[] = []) => ({
  resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords }] }],
});
const text = (stringValue: string) => ({ stringValue });

describe.each<[string, Recorded[]]>([
  ['json', json],
  ['protobuf', protobuf],
])('what the exporter of OpenTelemetry sends as %s', (_, requests) => {
  test('is stored once, however often it is sent', async () => {
    const { key, list } = await newOrg();
    for (const { path, headers, body } of [...requests, ...requests]) {
      const bytes = Buffer.from(body, 'base64');
      const sent = { ...headers, ...key, 'content-length': String(bytes.length) };
      const answer = await ask(path, bytes, sent);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain(headers['content-type'] ?? '');
    }
    const { entries, total } = await list('?resource=checkout&env=staging&level=error');
    expect(total).toBe(3);
    expect(entries[0]).toMatchObject({
      timestamp: '2026-01-03T08:00:02.000Z',
      level: 'error',
      service: 'checkout',
      message: 'Payment 2 failed',
      env: 'staging',
      fields: {
        scope: 'payments',
        orderId: 2,
        retry: true,
        codes: ['a', 'b'],
        nested: { reason: 'timeout' },
      },
    });
    expect((await list('?q=timeout')).total).toBe(3);
  });
});

test('a trace is the request, levels go by their numbers, and times are bounded', async () => {
  const { list, post } = await newOrg();
  const traceId = '5b8efff798038103d269b633813fc60c';
  const at = (ms: number) => `${BigInt(ms) * 1_000_000n}`;
  const records = [1, 5, 9, 13, 17, 21, 24].map((severityNumber) => ({
    severityNumber,
    timeUnixNano: at(now.getTime() - 60_000),
    body: text(`severity ${severityNumber}`),
    traceId,
  }));
  const odd = [
    { severityText: 'Warn', timeUnixNano: at(Date.parse('2020-01-01')), body: text('old') },
    { timeUnixNano: at(Date.parse('2030-01-01')), body: { kvlistValue: { values: [] } } },
    { eventName: 'started' },
  ];
  expect(await post(logs([...records, ...odd]))).toMatchObject({ status: 200, body: {} });
  const { entries } = await list(`?requestId=${traceId}`);
  expect(entries.map(({ level }: any) => level).toSorted()).toEqual(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'fatal'].toSorted(),
  );
  const all = (await list()).entries;
  const find = (message: string) => all.find((each: any) => each.message === message);
  expect(find('old')).toMatchObject({ level: 'warn', timestamp: '2025-12-28T00:00:00.000Z' });
  expect(find('{}').timestamp).toBe(now.toISOString());
  expect(find('started').fields.eventName).toBe('started');
});

/** One record of 157963456373623803, -2^63, 2^53-1, both infinities, NaN and 0.1, as protobuf. */
const ODD_NUMBERS =
  'CowBEokBEoYBKgoKCHByb3RvYnVmMhAKAm4wEgoY+5eSxdPdzJgCMhEKAm4xEgsYgICAgICAgICAATIPCgJuMhIJGP////////8PMg8KAm4zEgkhAAAAAAAA8H8yDwoCbjQSCSEAAAAAAADw/zIPCgJuNRIJIQAAAAAAAPh/Mg8KAm42EgkhmpmZmZmZuT8=';

test('equal records of one millisecond are several, each once however often it is sent', async () => {
  const { list, post } = await newOrg();
  const base = BigInt(now.getTime() - 60_000) * 1_000_000n;
  const batches = [1n, 900_000n].map((nanos) =>
    logs([{ timeUnixNano: `${base + nanos}`, body: text('cache miss') }]),
  );
  for (const batch of [...batches, ...batches]) {
    expect(await post(batch)).toMatchObject({ status: 200, body: {} });
  }
  expect((await list()).total).toBe(2);
});

test('numbers that JavaScript cannot hold are kept as sent, in both forms', async () => {
  const { key, list } = await newOrg();
  const value = (one: string) => `{"value":${one}}`;
  const values = [
    ...['{"intValue":"157963456373623803"}', '{"intValue":157963456373623803}'],
    ...['{"intValue":"-9007199254740993"}', '{"intValue":"9007199254740991"}'],
    ...['{"doubleValue":1e400}', '{"doubleValue":-0.1}', '{"doubleValue":"NaN"}'],
  ];
  const attributes = values.map((one, n) => `{"key":"n${n}",${value(one).slice(1)}`);
  const record = `{"body":{"stringValue":"json"},"attributes":[${attributes.join(',')}]}`;
  const sent = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${record}]}]}]}`;
  const headers = { ...key, 'content-type': 'application/json' };
  expect((await send(PATH, sent, headers)).status).toBe(200);
  const bytes = Buffer.from(ODD_NUMBERS, 'base64');
  const binary = { ...key, 'content-type': 'application/x-protobuf' };
  expect((await ask(PATH, bytes, binary)).status).toBe(200);
  const { entries } = await list();
  const fields = Object.fromEntries(entries.map((one: any) => [one.message, one.fields]));
  expect(fields.json).toEqual({
    ...{ n0: '157963456373623803', n1: '157963456373623803', n2: '-9007199254740993' },
    ...{ n3: 9007199254740991, n4: 'Infinity', n5: -0.1, n6: 'NaN' },
  });
  expect(fields.protobuf).toEqual({
    ...{ n0: '157963456373623803', n1: '-9223372036854775808', n2: 9007199254740991 },
    ...{ n3: 'Infinity', n4: '-Infinity', n5: 'NaN', n6: 0.1 },
  });
});

test('records that cannot be stored are counted, and the others are stored', async () => {
  const { list, post } = await newOrg();
  let deep: object = text('x');
  for (let level = 0; level < 40; level += 1) deep = { arrayValue: { values: [deep] } };
  const records = [
    { body: text('good') },
    { body: text('deep'), attributes: [{ key: 'a', value: deep }] },
    { body: text('long'), attributes: [{ key: 'a', value: text('x'.repeat(70_000)) }] },
  ];
  const answer = await post(logs(records));
  expect(answer).toMatchObject({
    status: 200,
    body: { partialSuccess: { rejectedLogRecords: 2, errorMessage: expect.any(String) } },
  });
  expect((await list()).entries.map(({ message }: any) => message)).toEqual(['good']);
});

test('a long body is cut in the message and kept whole in the fields', async () => {
  const { list, post } = await newOrg();
  expect((await post(logs([{ body: text('é'.repeat(3_000)) }]))).status).toBe(200);
  const [entry] = (await list()).entries;
  expect([...entry.message]).toHaveLength(2_000);
  expect([...entry.fields.body]).toHaveLength(3_000);
});

test.each<[string, number, () => [Uint8Array | string, Record<string, string>]]>([
  ['no JSON', 400, () => ['{', {}]],
  ['no protobuf', 400, () => ['\xff\xff', { 'content-type': 'application/x-protobuf' }]],
  ['a list in the place of records', 400, () => ['{"resourceLogs":{}}', {}]],
  ['more than 8 MB', 413, () => [' '.repeat(8 * 1024 * 1024 + 1), {}]],
  ['more than 8 MB unpacked', 413, () => [zstdCompressSync(Buffer.alloc(9_000_000)), ZSTD]],
  ['another compression', 415, () => ['{}', { 'content-encoding': 'br' }]],
  ['half of zstd', 400, () => [zstdCompressSync('{}').subarray(0, 8), ZSTD]],
])('%s: %d', async (_, status, make) => {
  const { key, list } = await newOrg();
  const [body, headers] = make();
  const answer = await send(PATH, body, { 'content-type': 'application/json', ...key, ...headers });
  expect(answer.status).toBe(status);
  expect((await list()).total).toBe(0);
});

test('without a key of the organization it is 401, and while writes wait 503 with Retry-After', async () => {
  const { key, post } = await newOrg();
  expect((await send(PATH, '{}', {})).status).toBe(401);
  const { logWriter } = deps;
  Object.defineProperty(logWriter, 'isBehind', { value: true, configurable: true });
  const answer = await post(logs([{ body: text('later') }]));
  Reflect.deleteProperty(logWriter, 'isBehind');
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(key).toBeDefined();
});

type Packed = [encoding: string, pack: (text: string) => Uint8Array];
const PACKED: Packed[] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['zstd', zstdCompressSync],
  ['ZSTD', zstdCompressSync],
];

test.each(PACKED)('a body as %s is taken', async (encoding, pack) => {
  const { key, list } = await newOrg();
  const sent = pack(JSON.stringify(logs([{ body: text('packed') }])));
  const headers = { ...key, 'content-type': 'application/json', 'content-encoding': encoding };
  expect(await send(PATH, sent, headers)).toMatchObject({ status: 200, body: {} });
  expect((await list()).total).toBe(1);
});

const noise = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes / 2)).toHex();

test.each<[string, (sent: string) => Uint8Array | string, Record<string, string>]>([
  ['as it is', (sent) => sent, {}],
  ['gzip', gzipSync, GZIP],
  ['zstd', (sent) => zstdCompressSync(sent), ZSTD],
])('a batch of 512 records of 6 KB, %s, is stored whole', async (_, pack, headers) => {
  const { key, list } = await newOrg();
  const records = Array.from({ length: 512 }, (_, n) => ({
    body: text(`record ${n}`),
    attributes: [{ key: 'stack', value: text(noise(6 * 1024)) }],
  }));
  const sent = pack(JSON.stringify(logs(records)));
  const answer = await send(PATH, sent, { 'content-type': 'application/json', ...key, ...headers });
  expect(answer).toMatchObject({ status: 200, body: {} });
  expect(await list()).toMatchObject({ total: 512, dropped: 0 });
});

/** Fields of protobuf, delimited by their lengths below 16,384. */
const field = (id: number, inner: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(inner);
  const length = [(bytes.length & 127) | 128, bytes.length >> 7];
  return Buffer.concat([Buffer.from([(id << 3) | 2, ...length]), bytes]);
};
const said = (words: Uint8Array | string) => field(5, field(1, words));
const requestOf = (...records: Uint8Array[]) =>
  field(1, field(2, Buffer.concat(records.map((record) => field(2, record)))));

test('a batch over the bound of records keeps what fits, and says the bound', async () => {
  const { key, list } = await newOrg();
  const json = zipped(logs(Array(10_003).fill({ body: text('one of many') })));
  const answer = await send(PATH, json, { 'content-type': 'application/json', ...key, ...GZIP });
  const rejected = {
    rejectedLogRecords: 3,
    errorMessage: 'A request holds at most 10000 log records.',
  };
  expect(answer).toMatchObject({ status: 200, body: { partialSuccess: rejected } });
  expect((await list()).total).toBe(10_000);
}, 60_000);

test('a trace is the same however its id is written, and what is no id is none', async () => {
  const { key, list, post } = await newOrg();
  const traceId = '5b8efff798038103d269b633813fc60c';
  const bytes = Buffer.from(traceId, 'hex');
  const spanId = 'eee19b7ec3c1b174';
  const spelled = [traceId, traceId.toUpperCase(), bytes.toString('base64')];
  const spans = [spanId, spanId.toUpperCase(), Buffer.from(spanId, 'hex').toString('base64')];
  const same = spelled.map((id, n) => ({ body: text(`${n}`), traceId: id, spanId: spans[n] }));
  const none = ['0'.repeat(32), 'AAAAAAAAAAAAAAAAAAAAAA==', 'abc', `${traceId}0`, '', 5, null, {}];
  const others = none.map((id, n) => ({ body: text(`none ${n}`), traceId: id, spanId: id }));
  expect(await post(logs([...same, ...others]))).toMatchObject({ status: 200, body: {} });
  const binary = requestOf(
    ...[bytes, Buffer.from(traceId), Buffer.from(traceId.toUpperCase())].map((id, n) =>
      Buffer.concat([said(`binary ${n}`), field(9, id), field(10, Buffer.from(spanId, 'hex'))]),
    ),
    Buffer.concat([said('binary none'), field(9, Buffer.alloc(16)), field(10, 'x')]),
    Buffer.concat([said('binary short'), field(9, bytes.subarray(8))]),
  );
  expect((await ask(PATH, binary, { ...key, ...PROTOBUF })).status).toBe(200);
  for (const id of [traceId, traceId.toUpperCase()]) {
    const { entries, total } = await list(`?requestId=${id}`);
    expect(total).toBe(6);
    for (const { requestId, fields } of entries) {
      expect([requestId, fields.traceId, fields.spanId]).toEqual([traceId, traceId, spanId]);
    }
  }
  const rest = (await list()).entries.filter(({ requestId }: any) => requestId === null);
  expect(rest).toHaveLength(none.length + 2);
  for (const { fields } of rest) {
    expect(fields).not.toHaveProperty('traceId');
    expect(fields).not.toHaveProperty('spanId');
  }
});

test('an empty request in protobuf is one without records', async () => {
  const { key } = await newOrg();
  const answer = await ask(PATH, '', { ...key, ...PROTOBUF });
  expect([answer.status, (await answer.bytes()).length]).toEqual([200, 0]);
});

const DAMAGED = Buffer.from([0x61, 0xc3, 0x28, 0xff]);

test.each<[string, () => [Uint8Array | string, Record<string, string>], number]>([
  [
    'text that is no UTF-8',
    () => [requestOf(said('good'), said(DAMAGED), said('too')), PROTOBUF],
    1,
  ],
  [
    'a name that is no UTF-8',
    () => [requestOf(said('good'), field(6, field(1, DAMAGED)), said('too')), PROTOBUF],
    1,
  ],
  [
    'half of a record',
    () => [requestOf(said('good'), Buffer.from([0x2a, 0x7f]), said('too')), PROTOBUF],
    1,
  ],
  [
    'a record in another form',
    () => [
      JSON.stringify(
        logs([{ body: text('good') }, { attributes: {} }, 7, null, { body: text('too') }]),
      ),
      { 'content-type': 'application/json' },
    ],
    3,
  ],
])('%s costs only its record', async (_, make, rejected) => {
  const { key, list } = await newOrg();
  const [body, headers] = make();
  const answer = await ask(PATH, body, { ...key, ...headers });
  expect(answer.status).toBe(200);
  if (headers === PROTOBUF) expect((await answer.bytes()).length).toBeGreaterThan(0);
  else {
    const { partialSuccess } = (await answer.json()) as any;
    expect(partialSuccess.rejectedLogRecords).toBe(rejected);
    expect(partialSuccess.errorMessage).toStartWith('attributes: must be an array');
  }
  const { entries } = await list();
  expect(entries.map(({ message }: any) => message).toSorted()).toEqual(['good', 'too']);
});

test('a resource that cannot be stored costs its own records', async () => {
  const { list, post } = await newOrg();
  let deep: object = text('x');
  for (let level = 0; level < 40; level += 1) deep = { arrayValue: { values: [deep] } };
  const wrong = [[{ key: 'a', value: deep }], [{ key: 'a', value: text('x'.repeat(70_000)) }]].map(
    (attributes) => logs([{ body: text('lost') }], attributes).resourceLogs[0],
  );
  const good = logs([{ body: text('good') }]).resourceLogs[0];
  const answer = await post({ resourceLogs: [...wrong, { ...good, resource: null }, good] });
  expect(answer).toMatchObject({
    status: 200,
    body: { partialSuccess: { rejectedLogRecords: 2 } },
  });
  expect(answer.body.partialSuccess.errorMessage).toStartWith('resource');
  expect((await list()).total).toBe(2);
});

test('what waits in memory only is not said to be stored', async () => {
  const { list, post } = await newOrg();
  const { logWriter } = deps;
  const append = logWriter.append.bind(logWriter);
  logWriter.append = async (record) => {
    await append(record);
    return 'waiting';
  };
  const body = logs([{ body: text('later'), timeUnixNano: `${now.getTime() - 1_000}000000` }]);
  expect((await post(body)).status).toBe(503);
  logWriter.append = append;
  expect((await post(body)).status).toBe(200);
  expect((await list()).total).toBe(1);
});
