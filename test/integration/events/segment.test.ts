import { describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { createIntake } from '../../../src/app/routes.ts';
import { addRejections } from '../../../src/event-store/intake/queries.ts';
import { untilRefused } from '../../support/rejections.ts';
import rudder from '../../fixtures/wire/rudder-node.json';
import segmentJvm from '../../fixtures/wire/segment-jvm.json';
import segmentNode from '../../fixtures/wire/segment-node.json';
import { basic, GZIP, intakeOf, type Recorded, rekeyed, zipped } from '../../support/intake.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

/** The recordings are of January. */
let now = new Date('2026-01-04T00:00:00Z');
const service = await startTestService(await testDatabase(), {
  with: () => ({ clock: () => now }),
});
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const send = intakeOf(service);
const BATCH = '/v1/segment/v1/batch';

async function newApp() {
  const app = await createTestApp(service, org.orgId);
  const get = async (tail: string) =>
    (await call(`/v1/apps/${app.appId}/events/${tail}`, { headers: org.key })).body;
  return { ...app, get, key: basic(app.serviceKey) };
}

const message = (fields: object = {}) => ({
  type: 'track',
  event: 'App Opened',
  messageId: 'message-0001',
  anonymousId: 'device-0001',
  timestamp: '2026-01-03T08:00:00Z',
  ...fields,
});

const CONTEXT = {
  platform: 'ios',
  appVersion: '1.4.0',
  osVersion: '18.1',
  locale: 'de-DE',
  country: 'DE',
};

/** What the recorded clients did, as an app of ours would send it. */
function sameEvents() {
  const begin = Date.parse('2026-01-03T08:00:00Z');
  return [0, 1, 2].flatMap((person) => {
    const who = { anonymousId: `device-000${person}`, userId: `user-${person}` };
    const at = (ms: number) => new Date(begin + person * 1_000 + ms).toISOString();
    return [
      { name: 'app_opened', ts: at(0), ...who, props: { from: 'push', person } },
      {
        name: 'purchase_completed',
        ts: at(60_000),
        ...who,
        props: { plan: 'year', items: '["a"]' },
      },
    ];
  });
}

const withoutIds = (events: any[]) =>
  events
    .map(({ id: _, receivedAt: __, ...event }) => event)
    .toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt));

describe.each<[string, Recorded[]]>([
  ['@segment/analytics-node', segmentNode],
  ['@rudderstack/rudder-sdk-node', rudder],
  ['com.segment.analytics.kotlin:core', segmentJvm.filter(({ method }) => method === 'POST')],
])('what %s sends', (_, requests) => {
  test('is stored once, as the same events by the own route', async () => {
    const [theirs, ours] = [await newApp(), await newApp()];
    for (const request of [...requests, ...requests]) {
      const { sent, headers } = rekeyed(request, theirs.serviceKey);
      const answer = await send(request.path, sent, headers);
      expect(answer).toMatchObject({ status: 200, body: { success: true } });
    }
    const body = { events: sameEvents(), context: CONTEXT };
    expect((await call('/v1/events', { body, headers: ours.device })).status).toBe(202);
    await compactEverything(deps);
    const stored = await theirs.get('recent');
    expect(stored).toHaveLength(6);
    expect(withoutIds(stored)).toEqual(withoutIds(await ours.get('recent')));
    expect(await theirs.get('summary')).toEqual(await ours.get('summary'));
  });
});

describe('the paths', () => {
  test.each(['track', 't', 'screen', 's', 'page', 'p', 'identify', 'i', 'alias', 'a'])(
    '%s takes one message, with the key in its body',
    async (path) => {
      const { serviceKey, get } = await newApp();
      const { type: _, ...fields } = message({ userId: 'u-1', previousId: 'device-0001' });
      const body = JSON.stringify({ ...fields, writeKey: serviceKey });
      const answer = await send(`/v1/segment/v1/${path}`, body, { 'content-type': 'text/plain' });
      expect(answer).toMatchObject({ status: 200, body: { success: true } });
      expect(await get('recent')).toMatchObject([
        { anonymousId: 'device-0001', userId: 'u-1', personId: 'u-1' },
      ]);
    },
  );

  test('group is answered and left out, and counted', async () => {
    const { key, get } = await newApp();
    expect((await send('/v1/segment/v1/group', JSON.stringify(message()), key)).status).toBe(200);
    expect(await get('recent')).toEqual([]);
    const text = await deps.metrics.registry.metrics();
    expect(text).toMatch(/intake_left_out_total\{kind="group".*\} 1/);
  });

  test('settings tell clients in Kotlin and Swift that events are sent here', async () => {
    const path = segmentJvm.find(({ method }) => method === 'GET')?.path;
    const request = new Request(`http://localhost:3001${path}`);
    const answer = await createIntake(deps, { isHeld: () => false }).handle(request);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      integrations: { 'Segment.io': { apiKey: 'svp_RECORDED' } },
    });
  });

  test('are not those of the service', async () => {
    expect((await send('/v1/apps', '{}', org.key)).status).toBe(404);
    expect((await call(BATCH, { body: {} })).status).toBe(404);
  });
});

describe('refusals', () => {
  test('wrong events are refused one by one, each under its reason, and the rest is taken', async () => {
    const { key, get } = await newApp();
    const batch = [
      message(),
      message({ event: '!' }),
      message({ messageId: 'half-\ud83d-00' }),
      message({ anonymousId: undefined }),
      message({ properties: { text: 'x'.repeat(33_000) } }),
      message({ type: 'delete' }),
      'no object',
    ];
    const answer = await send(BATCH, zipped({ batch }), { ...key, ...GZIP });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(answer.body.refused.map(({ index }: any) => index)).toEqual([1, 2, 3, 4, 5, 6]);
    await addRejections(deps.sql, deps.events.rejections.take());
    const { rejected } = await get('ingestion');
    expect(await get('recent')).toHaveLength(1);
    expect(rejected.map(({ reason, batches }: any) => [reason, batches]).toSorted()).toEqual([
      ['invalid_event.anonymousId', 1],
      ['invalid_event.event', 1],
      ['invalid_event.id', 1],
      ['invalid_event.name', 1],
      ['invalid_event.size', 1],
      ['invalid_event.type', 1],
    ]);
  });

  test.each<[string, number, () => Uint8Array | string, object]>([
    ['over 1 MB as sent', 413, () => ' '.repeat(1024 * 1024 + 1), {}],
    ['over 8 MB unpacked', 413, () => gzipSync(Buffer.alloc(8 * 1024 * 1024 + 1, 32)), GZIP],
    ['no gzip', 400, () => 'x', GZIP],
    ['no gzip by its old name', 400, () => 'x', { 'content-encoding': 'x-gzip' }],
    ['cut gzip', 400, () => zipped({ batch: [message()] }).subarray(0, 40), GZIP],
    ['another compression', 415, () => 'x', { 'content-encoding': 'br' }],
    ['no JSON', 400, () => '{', {}],
    ['no batch', 400, () => '{}', {}],
    ['over 20,000 events', 413, () => zipped({ batch: Array(20_001).fill(0) }), GZIP],
  ])('%s: %d', async (_, status, body, headers) => {
    const { key, get } = await newApp();
    const answer = await send(BATCH, body(), { ...key, ...headers });
    expect(answer.status).toBe(status);
    expect(answer.body.error.message).toBeString();
    expect(answer.body).toMatchObject({
      code: answer.body.error.code,
      message: expect.any(String),
    });
    expect(await get('recent')).toEqual([]);
  });

  test('an event is measured in bytes', async () => {
    const { appId, key, get } = await newApp();
    const batch = [message({ properties: { text: '…'.repeat(11_000) } })];
    const answer = await send(BATCH, JSON.stringify({ batch }), key);
    // Clients for Python read code and message, and otherwise try again.
    expect(answer).toMatchObject({
      status: 400,
      body: { success: false, code: 'invalid_batch', message: expect.stringMatching(/^size: /) },
    });
    expect(await get('recent')).toEqual([]);
    await untilRefused(deps, appId, 'invalid_event.size');
  });

  test('a batch of exactly 1 MB is taken, and one of 8 MB unpacked', async () => {
    const { key } = await newApp();
    const text = JSON.stringify({ batch: [message()] });
    expect((await send(BATCH, text.padEnd(1024 * 1024), key)).status).toBe(200);
    const counted = Array.from({ length: 8 * 16_384 }, (_, index) => `${index}`.padStart(64)).join(
      '',
    );
    const long = `{"padding":"${counted}`.slice(0, 8 * 1024 * 1024 - text.length - 1);
    const body = gzipSync(`${long}",${text.slice(1)}`);
    expect((await send(BATCH, body, { ...key, ...GZIP })).status).toBe(200);
    const spaces = gzipSync(text.padEnd(8 * 1024 * 1024));
    const refusal = await send(BATCH, spaces, { ...key, ...GZIP });
    expect([refusal.status, refusal.body.error.hint]).toEqual([
      413,
      'body: at most 200 times as large unpacked as sent',
    ]);
  });

  test('without a key of an app it is 401', async () => {
    const body = JSON.stringify({ batch: [message()] });
    for (const headers of [
      {},
      basic('svp_wrong'),
      basic(org.key['x-api-key']),
      { authorization: 'Basic !' },
    ]) {
      expect((await send(BATCH, body, headers as Record<string, string>)).status).toBe(401);
    }
  });

  test('a batch beyond the daily cap is 429 with Retry-After, and nothing of it is kept', async () => {
    const app = await newApp();
    const used = deps.events.cap.take(app.appId, 5_000_000_000 - 1, 5_000_000_000, now.getTime());
    expect(used).toBe(true);
    const batch = [message(), message({ messageId: 'message-0002' })];
    const answer = await send(BATCH, zipped({ batch }), { ...app.key, ...GZIP });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await app.get('recent')).toEqual([]);
  });

  test('a log that cannot be written is 503, and the retry counts once', async () => {
    const { key, get } = await newApp();
    const { append } = deps.events;
    let fails = 1;
    deps.events.append = async (record) => {
      await append(record);
      if (fails-- > 0) throw Object.assign(new Error('ECONNREFUSED'), { code: 'ECONNREFUSED' });
    };
    const body = zipped({ batch: [message()] });
    expect((await send(BATCH, body, { ...key, ...GZIP })).status).toBe(503);
    expect((await send(BATCH, body, { ...key, ...GZIP })).status).toBe(200);
    deps.events.append = append;
    now = new Date(now.getTime() + 1_000);
    expect(await get('recent')).toHaveLength(1);
  });
});
