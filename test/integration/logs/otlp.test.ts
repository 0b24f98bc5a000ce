import { describe, expect, test } from 'bun:test';
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
  ['over 2,000 records', 413, () => [zipped(logs(Array(2_001).fill({}))), GZIP]],
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
