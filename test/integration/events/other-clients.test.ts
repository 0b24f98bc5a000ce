import { describe, expect, test } from 'bun:test';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { addRejections } from '../../../src/event-store/intake/queries.ts';
import { createIntake } from '../../../src/app/routes.ts';
import { RateLimited } from '../../../src/http/limits.ts';
import amplitudeJvm from '../../fixtures/wire/amplitude-jvm.json';
import amplitudeNode from '../../fixtures/wire/amplitude-node.json';
import posthogJvm from '../../fixtures/wire/posthog-jvm.json';
import posthogNode from '../../fixtures/wire/posthog-node.json';
import { basic, GZIP, intakeOf, type Recorded, rekeyed, zipped } from '../../support/intake.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

/** The recordings are of January. */
const now = new Date('2026-01-04T00:00:00Z');
const service = await startTestService(await testDatabase(), {
  with: () => ({ clock: () => now }),
});
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const send = intakeOf(service);
const JSON_TYPE = { 'content-type': 'application/json' };

async function newApp() {
  const app = await createTestApp(service, org.orgId);
  const get = async (tail: string) =>
    (await call(`/v1/apps/${app.appId}/events/${tail}`, { headers: org.key })).body;
  const post = (tail: string, body: unknown) =>
    send(tail, typeof body === 'string' ? body : JSON.stringify(body), JSON_TYPE);
  return { ...app, get, post };
}

const CONTEXT = {
  platform: 'ios',
  appVersion: '1.4.0',
  osVersion: '18.1',
  country: 'DE',
};

/** What the recorded clients did, as an app of ours would send it. */
function sameEvents() {
  const begin = Date.parse('2026-01-03T08:00:00Z');
  return [0, 1, 2].flatMap((person) => {
    const who = { anonymousId: `device-000${person}`, userId: `user-${person}` };
    const at = (ms: number) => new Date(begin + person * 1_000 + ms).toISOString();
    const bought = { plan: 'year', items: '["a"]' };
    return [
      { name: 'app_opened', ts: at(0), ...who, props: { from: 'push', person } },
      { name: 'purchase_completed', ts: at(60_000), ...who, props: bought },
    ];
  });
}

const withoutIds = (events: any[]) =>
  events
    .map(({ id: _, receivedAt: __, ...event }) => event)
    .toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt));

describe.each<[string, Recorded[], object]>([
  ['posthog-node', posthogNode, { ...CONTEXT, locale: 'de-DE' }],
  ['@amplitude/analytics-node', amplitudeNode, CONTEXT],
  ['com.posthog:posthog-server', posthogJvm, { ...CONTEXT, locale: 'de-DE' }],
  ['com.amplitude:java-sdk', amplitudeJvm, CONTEXT],
])('what %s sends', (_, requests, context) => {
  test('is stored once, as the same events by the own route', async () => {
    const [theirs, ours] = [await newApp(), await newApp()];
    for (const request of [...requests, ...requests]) {
      const { sent, headers } = rekeyed(request, theirs.serviceKey);
      expect((await send(request.path, sent, headers)).status).toBe(200);
    }
    const body = { events: sameEvents(), context };
    expect((await call('/v1/events', { body, headers: ours.device })).status).toBe(202);
    await compactEverything(deps);
    const stored = await theirs.get('recent');
    expect(stored).toHaveLength(6);
    expect(withoutIds(stored)).toEqual(withoutIds(await ours.get('recent')));
    expect(await theirs.get('summary')).toEqual(await ours.get('summary'));
  });
});

describe('PostHog', () => {
  const message = (fields: object = {}) => ({
    uuid: '01a21d10-5cd0-74d5-9d0b-a45c1ea6e3f1',
    event: 'App Opened',
    distinct_id: 'device-0001',
    timestamp: '2026-01-03T08:00:00Z',
    properties: { $device_id: 'device-0001' },
    ...fields,
  });

  test.each(['batch', 'batch/', 'capture/', 'e/', 'i/v0/e/', 'track', 'engage'])(
    '%s takes an event, with the key in its body',
    async (path) => {
      const { serviceKey, get, post } = await newApp();
      const answer = await post(`/v1/posthog/${path}`, { ...message(), api_key: serviceKey });
      expect(answer).toMatchObject({ status: 200, body: { status: 1 } });
      expect(await get('recent')).toMatchObject([
        { name: 'app_opened', anonymousId: 'device-0001', userId: null },
      ]);
    },
  );

  test('a list of events has the key in the properties of its first, as browsers send it', async () => {
    const { serviceKey, get } = await newApp();
    const properties = { $device_id: 'device-0001', token: serviceKey, $lib: 'web' };
    const sent = [
      message({ properties }),
      message({
        uuid: 'uuid-of-page',
        event: '$pageview',
        properties: { ...properties, $current_url: 'https://app.example.com/plans?x=1' },
      }),
    ];
    const headers = { 'content-type': 'text/plain' };
    const path = '/v1/posthog/i/v0/e/?compression=gzip-js&ver=1&_=1';
    expect((await send(path, zipped(sent), headers)).status).toBe(200);
    const form = `data=${encodeURIComponent(Buffer.from(JSON.stringify(sent)).toString('base64'))}`;
    const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send('/v1/posthog/e/', form, asForm)).status).toBe(200);
    await compactEverything(deps);
    const stored = await get('recent');
    expect(stored.map(({ name, platform, props }: any) => [name, platform, props])).toEqual(
      expect.arrayContaining([
        ['app_opened', 'web', {}],
        ['screen_viewed', 'web', { screen: '/plans' }],
      ]),
    );
    expect(stored).toHaveLength(2);
  });

  test('an offset is how long ago, and what the client sends by itself is dropped and counted', async () => {
    const { serviceKey, get, post } = await newApp();
    const dropped = [
      '$snapshot',
      '$autocapture',
      '$heatmap',
      '$feature_flag_called',
      '$groupidentify',
    ];
    const batch = [
      message({ timestamp: undefined, offset: 60_000 }),
      ...dropped.map((event, index) => message({ event, uuid: `uuid-of-${index}` })),
    ];
    expect((await post('/v1/posthog/batch', { api_key: serviceKey, batch })).status).toBe(200);
    expect((await post('/v1/posthog/s/', { api_key: serviceKey, batch: [] })).status).toBe(200);
    expect(await get('recent')).toMatchObject([{ occurredAt: '2026-01-03T23:59:00.000Z' }]);
    const text = await deps.metrics.registry.metrics();
    for (const [kind, count] of [
      ['replay', 2],
      ['autocapture', 1],
      ['heatmap', 1],
    ]) {
      expect(text).toMatch(new RegExp(`intake_left_out_total\\{kind="${kind}".*\\} ${count}`));
    }
  });

  test('identify and alias join a device to its user', async () => {
    const { serviceKey, get, post } = await newApp();
    const batch = [
      message(),
      message({
        uuid: 'uuid-of-identify',
        event: '$identify',
        distinct_id: 'user-1',
        properties: { $anon_distinct_id: 'device-0001', $set: { plan: 'pro' } },
      }),
      message({
        uuid: 'uuid-of-alias',
        event: '$create_alias',
        distinct_id: 'user-1',
        properties: { alias: 'device-0002', distinct_id: 'user-1' },
      }),
      message({
        uuid: 'uuid-of-second',
        properties: { $device_id: 'device-0002' },
        distinct_id: 'device-0002',
      }),
    ];
    expect((await post('/v1/posthog/batch', { api_key: serviceKey, batch })).status).toBe(200);
    await compactEverything(deps);
    const stored = await get('recent');
    expect(stored).toHaveLength(4);
    for (const { personId } of stored) expect(personId).toBe('user-1');
  });

  test('wrong events are refused one by one, and the rest is taken', async () => {
    const { serviceKey, get, post } = await newApp();
    const batch = [
      message(),
      message({ event: undefined }),
      message({ event: '!' }),
      message({ distinct_id: undefined, properties: {} }),
      message({ properties: { text: 'x'.repeat(33_000) } }),
      7,
    ];
    expect((await post('/v1/posthog/batch', { api_key: serviceKey, batch })).status).toBe(200);
    await addRejections(deps.sql, deps.events.rejections.take());
    const { rejected } = await get('ingestion');
    expect(await get('recent')).toHaveLength(1);
    expect(rejected.map(({ reason }: any) => reason).toSorted()).toEqual([
      'invalid_event.anonymousId',
      'invalid_event.event',
      'invalid_event.name',
      'invalid_event.size',
    ]);
  });

  test('a sender whose events are all refused is told', async () => {
    const { serviceKey, get, post } = await newApp();
    for (const [path, body] of [
      ['/v1/posthog/capture', { ...message({ timestamp: 'yesterday' }), api_key: serviceKey }],
      ['/v1/posthog/batch', { api_key: serviceKey, batch: [message({ event: '!' }), 7] }],
    ] as const) {
      const { status, body: answer } = await post(path, body);
      expect(status).toBe(400);
      expect(answer).toMatchObject({ status: 0, error: answer.refused[0].reason });
    }
    const some = [message(), message({ uuid: 'uuid-of-wrong', timestamp: 'yesterday' })];
    const answer = await post('/v1/posthog/batch', { api_key: serviceKey, batch: some });
    expect(answer).toMatchObject({ status: 200, body: { status: 1, refused: [{ index: 1 }] } });
    expect(answer.body.refused[0].reason).toStartWith('ts: ');
    expect(await get('recent')).toHaveLength(1);
  });

  describe('by its second protocol', () => {
    const PATH = '/v1/posthog/i/v1/analytics/events';
    const bearer = (key: string) => ({ ...JSON_TYPE, authorization: `Bearer ${key}` });
    const event = (uuid: string, fields: object = {}) => ({
      event: 'App Opened',
      uuid,
      distinct_id: 'device-0001',
      timestamp: '2026-01-03T08:00:00+00:00',
      session_id: 'session-1',
      options: { process_person_profile: true },
      properties: { plan: 'year' },
      ...fields,
    });
    const batch = (...events: object[]) =>
      JSON.stringify({ created_at: '2026-01-03T08:00:00Z', batch: events });

    test.each<[string, (text: string) => Uint8Array | string, object]>([
      ['as it is', (text) => text, {}],
      ['as gzip', gzipSync, GZIP],
      ['as deflate', deflateSync, { 'content-encoding': 'deflate' }],
      ['as zstd', zstdCompressSync, { 'content-encoding': 'zstd' }],
    ])('each event has its answer, sent %s', async (_, pack, headers) => {
      const { serviceKey, get } = await newApp();
      const text = batch(
        event('uuid-of-first'),
        event('uuid-of-wrong', { timestamp: 'yesterday' }),
        event('uuid-of-flag', { event: '$feature_flag_called' }),
        event('uuid-of-huge', { properties: { text: 'x'.repeat(33_000) } }),
      );
      const answer = await send(PATH, pack(text), { ...bearer(serviceKey), ...headers });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        results: {
          'uuid-of-first': { result: 'ok' },
          'uuid-of-wrong': { result: 'drop', details: expect.stringMatching(/^ts: /) },
          'uuid-of-flag': { result: 'warning', details: 'left out: internal' },
          'uuid-of-huge': { result: 'drop', details: expect.stringMatching(/^size: /) },
        },
      });
      expect(await get('recent')).toMatchObject([
        {
          name: 'app_opened',
          anonymousId: 'device-0001',
          sessionId: 'session-1',
          occurredAt: '2026-01-03T08:00:00.000Z',
          props: { plan: 'year' },
        },
      ]);
    });

    test('errors are in its form: 503 where 429 would make clients drop', async () => {
      const { appId, serviceKey, get } = await newApp();
      const text = batch(event('uuid-of-first'));
      const refused = await send(PATH, text, bearer('svp_wrong'));
      expect(refused).toMatchObject({
        status: 401,
        body: { error: 'invalid_service_key', error_description: expect.any(String) },
      });
      expect((await send(PATH, '{}', bearer(serviceKey))).body.error).toBe('invalid_batch');
      const { take } = deps.rateLimits;
      deps.rateLimits.take = () => {
        throw new RateLimited('events', { limit: 1, remaining: 0, resetSeconds: 7 });
      };
      const busy = await send(PATH, text, bearer(serviceKey));
      deps.rateLimits.take = take;
      expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '7']);
      deps.events.cap.take(appId, 5_000_000_000, 5_000_000_000, now.getTime());
      expect((await send(PATH, text, bearer(serviceKey))).status).toBe(429);
      expect(await get('recent')).toEqual([]);
    });

    test('events of models come the same way, in both protocols', async () => {
      const { serviceKey, get, post } = await newApp();
      const [one, other] = [event('uuid-of-one'), event('uuid-of-other')];
      const answer = await send('/v1/posthog/i/v1/ai/events', batch(one), bearer(serviceKey));
      expect(answer.body.results).toEqual({ 'uuid-of-one': { result: 'ok' } });
      const legacy = { api_key: serviceKey, batch: [other] };
      expect((await post('/v1/posthog/i/v0/ai/batch/', legacy)).status).toBe(200);
      expect(await get('recent')).toHaveLength(2);
    });
  });

  test('an event that no stack could write is refused alone', async () => {
    const { serviceKey, get, post } = await newApp();
    const batch = [message({ properties: { deep: 'DEEP' } }), message()];
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const text = JSON.stringify({ api_key: serviceKey, batch }).replace('"DEEP"', deep);
    expect((await post('/v1/posthog/batch', text)).status).toBe(200);
    await addRejections(deps.sql, deps.events.rejections.take());
    expect(await get('recent')).toHaveLength(1);
    const { rejected } = await get('ingestion');
    expect(rejected.map(({ reason }: any) => reason)).toEqual(['invalid_event.event']);
  });

  test('a page gets its configuration, as JSON and as a script, which records nothing', async () => {
    const app = createIntake(deps, { isHeld: () => false });
    const get = (path: string) =>
      app.handle(new Request(`http://localhost:3001/v1/posthog${path}`));
    const config = await get('/array/svp_any/config');
    expect(await config.json()).toMatchObject({ sessionRecording: false, heatmaps: false });
    const script = await get('/array/svp_%22%3Cx/config.js');
    expect(script.headers.get('content-type')).toContain('text/javascript');
    const window: { _POSTHOG_REMOTE_CONFIG?: Record<string, any> } = {};
    new Function('window', await script.text())(window);
    expect(window._POSTHOG_REMOTE_CONFIG?.['svp_"<x']?.config.autocapture_opt_out).toBe(true);
  });

  const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)).toHex().repeat(20));
  const packed = () => Buffer.concat(Array.from({ length: 17 }, () => Bun.gzipSync(noise)));

  test.each<[string, number, (text: string) => Uint8Array | string, object]>([
    ['8 MB as it is', 200, (text) => text.padEnd(8 * 1024 * 1024), {}],
    ['more than 8 MB as it is', 413, (text) => text.padEnd(8 * 1024 * 1024 + 1), {}],
    ['more than 1 MB of gzip', 413, packed, GZIP],
    ['more than 1 MB of gzip that says nothing', 413, packed, {}],
  ])('%s is answered with %d', async (_, status, bodyOf, headers) => {
    const { serviceKey } = await newApp();
    const text = JSON.stringify({ api_key: serviceKey, batch: [message()] });
    const answer = await send('/v1/posthog/batch', bodyOf(text), { ...JSON_TYPE, ...headers });
    expect(answer.status).toBe(status);
    if (status === 413) {
      expect(answer.body.error.hint).toMatch(
        /^body: at most 1 MB as (gzip|sent), .*8 MB unpacked$/,
      );
    }
  });

  test.each([
    'posthog/array/svp_any/config',
    'posthog/array/svp_any/config.js',
    'segment/v1/projects/svp_any/settings',
    'segment/sourceConfig/?writeKey=svp_any&p=npm&v=3.34.1',
  ])('a page of any site may read %s, without a key', async (path) => {
    const headers = { origin: 'https://shop.example' };
    const ask = (more: object) =>
      createIntake(deps, { isHeld: () => false }).handle(
        new Request(`http://localhost:3001/v1/${path}`, { headers, ...more }),
      );
    const answer = await ask({});
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    const asked = await ask({
      method: 'OPTIONS',
      headers: { ...headers, 'access-control-request-method': 'GET' },
    });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  });

  test('flags are those that there are, by the person and what is known of them', async () => {
    const { appId, serviceKey, post } = await newApp();
    const on = [
      { name: 'on', value: true },
      { name: 'off', value: false },
    ];
    const make = (body: object) =>
      call(`/v1/apps/${appId}/flags`, { headers: org.key, body: { isOn: true, ...body } });
    await make({
      key: 'new-checkout',
      type: 'boolean',
      variants: on,
      defaultVariant: 'off',
      rules: [{ where: { all: [{ field: 'platform', op: 'is', value: 'ios' }] }, variant: 'on' }],
    });
    await make({
      key: 'headline',
      type: 'string',
      variants: [{ name: 'calm', value: 'Focus' }],
      defaultVariant: 'calm',
    });
    await make({
      key: 'limits',
      type: 'json',
      variants: [{ name: 'usual', value: { a: 1 } }],
      defaultVariant: 'usual',
    });
    const ask = (person_properties: object) =>
      post('/v1/posthog/flags?v=2', {
        token: serviceKey,
        distinct_id: 'device-0001',
        person_properties,
      });
    const answer = await ask({ $os_name: 'iOS' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        featureFlags: { 'new-checkout': true, headline: 'Focus', limits: 'usual' },
        featureFlagPayloads: { limits: '{"a":1}' },
        flags: { 'new-checkout': { enabled: true, variant: null } },
        errorsWhileComputingFlags: false,
      },
    });
    expect((await ask({ $os_name: 'Android' })).body.featureFlags['new-checkout']).toBe(false);
    expect((await post('/v1/posthog/flags', { token: serviceKey })).status).toBe(400);
    expect((await post('/v1/posthog/flags', { token: 'svp_x', distinct_id: 'd' })).status).toBe(
      401,
    );
  });
});

describe('Amplitude', () => {
  const event = (fields: object = {}) => ({
    event_type: 'App Opened',
    device_id: 'device-0001',
    insert_id: 'insert-0001',
    time: Date.parse('2026-01-03T08:00:00Z'),
    ...fields,
  });

  test.each(['2/httpapi', 'batch'])('%s answers as its protocol does', async (path) => {
    const { serviceKey, get, post } = await newApp();
    const events = [event(), event({ insert_id: 'insert-0002', user_id: 'user-1' })];
    const answer = await post(`/v1/amplitude/${path}`, { api_key: serviceKey, events });
    expect(answer).toMatchObject({ status: 200, body: { code: 200, events_ingested: 2 } });
    expect(await get('recent')).toHaveLength(2);
  });

  test('errors are those of its protocol: what clients cannot read they do not send again', async () => {
    const { appId, serviceKey, post } = await newApp();
    const body = { api_key: serviceKey, events: [event()] };
    const used = deps.events.cap.take(appId, 5_000_000_000, 5_000_000_000, now.getTime());
    expect(used).toBe(true);
    expect(await post('/v1/amplitude/2/httpapi', body)).toMatchObject({
      status: 429,
      body: { code: 429, error: expect.any(String), eps_threshold: expect.any(Number) },
    });
    expect(await post('/v1/amplitude/batch', { ...body, api_key: 'svp_wrong' })).toMatchObject({
      status: 401,
      body: { code: 401, error: expect.stringMatching(/^Invalid API key: /) },
    });
    expect(await post('/v1/amplitude/batch', { api_key: serviceKey })).toMatchObject({
      status: 400,
      body: { code: 400, error: expect.any(String) },
    });
  });

  test('refused events are listed by field, the others are stored, and sent again count once', async () => {
    const { serviceKey, get, post } = await newApp();
    const events = [
      event(),
      event({ event_type: undefined }),
      event({ insert_id: 'insert-0003', event_properties: { text: 'x'.repeat(33_000) } }),
      event({ insert_id: 'insert-0004', device_id: undefined }),
      event({ insert_id: 'insert-0005', event_type: '$identify', user_id: 'user-1' }),
      event({ insert_id: 'insert-0006', event_type: '[Amplitude] Element Clicked' }),
    ];
    const answer = await post('/v1/amplitude/2/httpapi', { api_key: serviceKey, events });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 400,
        events_with_invalid_fields: { event_type: [1], size: [2], anonymousId: [3] },
      },
    });
    const rest = events.filter((_, index) => ![1, 2, 3].includes(index));
    const again = await post('/v1/amplitude/2/httpapi', { api_key: serviceKey, events: rest });
    expect(again.status).toBe(200);
    await compactEverything(deps);
    const stored = await get('recent');
    expect(stored.map(({ name }: any) => name).toSorted()).toEqual(['app_opened', 'identify']);
    for (const { personId } of stored) expect(personId).toBe('user-1');
  });

  test('without a key it is 401, and gzip is taken', async () => {
    const { serviceKey, get, post } = await newApp();
    expect((await post('/v1/amplitude/batch', { events: [event()] })).status).toBe(401);
    const body = zipped({ api_key: serviceKey, events: [event()] });
    expect((await send('/v1/amplitude/batch', body, { ...GZIP, ...JSON_TYPE })).status).toBe(200);
    expect(await get('recent')).toHaveLength(1);
  });
});

describe('a path that there is not', () => {
  const origin = { origin: 'https://shop.example' };
  const app = createIntake(deps, { isHeld: () => false });
  const ask = (path: string, init: object = {}) =>
    app.handle(new Request(`http://localhost:3001${path}`, { headers: origin, ...init }));

  test.each<[string, object]>([
    ['/track', { status: 0, error: expect.stringContaining('/v1/segment') }],
    ['/engage/', { status: 0, error: expect.any(String) }],
    ['/import?strict=1', { status: 0, error: expect.any(String) }],
    ['/v1/mixpanel/track', { status: 0, error: expect.any(String) }],
    ['/v1/amplitude/2/nothing', { code: 404, error: expect.any(String) }],
    ['/v1/segment/v1/nothing', { code: 'not_found', message: expect.any(String) }],
    ['/v1/posthog/i/v1/traces', { error: 'not_found', error_description: expect.any(String) }],
    ['/v1/posthog/nothing', { error: { code: 'not_found', hint: expect.any(String) } }],
    ['/e/', { error: { code: 'not_found', hint: expect.any(String) } }],
  ])('%s says so in its form, to pages too', async (path, body) => {
    const answer = await ask(path, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toMatchObject(body);
  });

  test.each([
    ...['/v1/segment//v1/batch', '//v1/segment/v1//import/', '/v1/posthog//batch//'],
    ...['/v1/posthog/i/v1//analytics/events', '/v1/amplitude//2/httpapi/', '/v1/otlp//v1/logs'],
    ...['/v1/otlp/v1/logs/', '/v1/posthog//flags/?v=2'],
  ])('%s is one that there is: slashes may be doubled, or end it', async (path) => {
    const sent = JSON.stringify({ api_key: 'svp_none', writeKey: 'svp_none' });
    const answer = await ask(path, { method: 'POST', body: sent });
    expect(answer.status).toBe(401);
    const before = { ...origin, 'access-control-request-method': 'POST' };
    const asked = await ask(path, { method: 'OPTIONS', headers: before });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([
      204,
      path.includes('otlp') ? null : '*',
    ]);
  });

  test('a page may read that of a script, and ask before with any header', async () => {
    const script = await ask('/v1/posthog/static/1.449.2/surveys.js');
    expect([script.status, script.headers.get('access-control-allow-origin')]).toEqual([404, '*']);
    for (const path of ['/v1/posthog/none', '/v1/segment/v1/track', '/v1/segment/sourceConfig']) {
      const method = path.endsWith('Config') ? 'GET' : 'POST';
      const headers = { ...origin, 'access-control-request-method': method };
      const answer = await ask(path, { method: 'OPTIONS', headers });
      const allowed = answer.headers.get('access-control-allow-headers')?.split(', ');
      expect(answer.status).toBe(204);
      expect(allowed).toEqual(
        expect.arrayContaining(['authorization', 'anonymousid', 'sentat', '*']),
      );
    }
  });

  test('logs, whose key belongs on servers, are for no page', async () => {
    const headers = { ...origin, 'access-control-request-method': 'POST' };
    const answer = await ask('/v1/otlp/v1/logs', { method: 'OPTIONS', headers });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

test("RudderStack's clients are configured to send here, and nowhere else", async () => {
  const app = createIntake(deps, { isHeld: () => false });
  const ask = async (tail: string, headers = {}) => {
    const request = new Request(`http://localhost:3001/v1/segment/sourceConfig${tail}`, {
      headers,
    });
    return (await app.handle(request)).json();
  };
  const off = { enabled: false };
  const source = {
    ...{ id: 'svp_a', writeKey: 'svp_a', enabled: true, destinations: [] },
    config: { statsCollection: { errors: off, metrics: off } },
  };
  expect(await ask('/?p=npm&v=3.34.1&build=modern&writeKey=svp_a')).toMatchObject({ source });
  expect(await ask('?p=android', basic('svp_a'))).toMatchObject({ source });
});

describe('a batch of Segment that a program writes', () => {
  const sent = (event: object) => ({
    ...{ type: 'track', event: 'Item Scanned', anonymousId: 'scanner-0001' },
    ...{ timestamp: '2026-01-03T08:00:00Z', ...event },
  });

  test('has each of its equal events once, however many and however often', async () => {
    const { serviceKey: writeKey, get, post } = await newApp();
    const batch = Array.from({ length: 150 }, () => sent({}));
    for (const sentAt of ['2026-01-03T08:01:00Z', '2026-01-03T08:02:00Z']) {
      const body = { writeKey, sentAt, batch };
      expect((await post('/v1/segment/v1/batch', body)).status).toBe(200);
    }
    expect(await get('summary')).toMatchObject({ events: 150, people: 1 });
  });

  test('says the context once for all that have none', async () => {
    const { serviceKey: writeKey, get, post } = await newApp();
    const context = { os: { name: 'iOS', version: '18.1' }, app: { version: '1.4.0' } };
    const own = { app: { version: '1.5.0' } };
    const batch = [
      sent({ messageId: 'message-1' }),
      sent({ messageId: 'message-2', context: own }),
    ];
    expect((await post('/v1/segment/v1/batch', { writeKey, context, batch })).status).toBe(200);
    const events = await get('recent');
    const shown = events.map(({ platform, appVersion }: any) => `${platform} ${appVersion}`);
    expect(shown.toSorted()).toEqual(['ios 1.4.0', 'ios 1.5.0']);
  });
});
