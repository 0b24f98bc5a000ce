import { describe, expect, test } from 'bun:test';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { findFault } from '../../../clients/api/src/check.ts';
import { type ApiOptions, createApi } from '../../../clients/api/src/index.ts';
import { DateTime, Day, Nullable, OneOf } from '../../../src/shared/schema.ts';

const plain = (schema: TSchema) => JSON.parse(JSON.stringify(schema));

describe('the check of answers', () => {
  const Thing = Type.Object({
    id: Type.String({ minLength: 2, maxLength: 4, pattern: '^[a-z]+$' }),
    count: Type.Integer({ minimum: 0, maximum: 9 }),
    kind: OneOf(['one', 'two']),
    at: Nullable(DateTime),
    day: Type.Optional(Day),
    tags: Type.Array(Type.String(), { maxItems: 2 }),
    extra: Type.Record(Type.String(), Type.Number()),
    flag: Type.Literal(true),
  });
  const thing: Static<typeof Thing> = {
    id: 'abc',
    count: 3,
    kind: 'one',
    at: '2026-03-01T12:00:00.000Z',
    tags: ['x'],
    extra: { a: 1.5 },
    flag: true,
  };

  test.each([
    [{}, null],
    [{ at: null, day: '2026-03-01', extra: {}, tags: [] }, null],
    [{ unknown: 'later releases may say more' }, null],
    [{ id: undefined }, '/id is not of type string'],
    [{ id: 'a' }, '/id is shorter than 2'],
    [{ id: 'abcde' }, '/id is longer than 4'],
    [{ id: 'ABC' }, '/id has another form'],
    [{ count: 1.5 }, '/count is not of type integer'],
    [{ count: 10 }, '/count is more than 9'],
    [{ count: -1 }, '/count is less than 0'],
    [{ kind: 3 }, '/kind is none of the values'],
    [{ kind: 'a word of a later release' }, null],
    [{ at: 'yesterday' }, '/at is no date-time'],
    [{ day: '2026-13-01' }, '/day is no date'],
    [{ tags: ['a', 'b', 'c'] }, '/tags has too many items'],
    [{ tags: [1] }, '/tags/0 is not of type string'],
    [{ extra: { a: 'x' } }, '/extra/a is not of type number'],
    [{ flag: false }, '/flag has another value'],
  ])('%j', (change, fault) => {
    expect(findFault({ ...thing, ...change }, plain(Thing))).toBe(fault);
  });

  test('takes a word of a later release, and null, where null stands among the words', () => {
    const schema = { type: ['string', 'null'], enum: ['one', 'two', null] };
    for (const value of ['one', 'a word of a later release', null]) {
      expect(findFault(value, schema)).toBeNull();
    }
    expect(findFault(3, schema)).toBe('/ is none of the values');
    expect(findFault('x', { const: null })).toBe('/ has another value');
  });

  test('agrees with TypeBox on any value', () => {
    const schemas = [
      // A word that is no value of an enumeration is one of a later release.
      Type.Omit(Thing, ['kind']),
      Type.Array(Nullable(Type.Integer())),
      Type.Record(Type.String(), Nullable(Type.Union([Type.String(), Type.Boolean()]))),
      Type.Object({ a: Type.Optional(Type.Number()) }, { additionalProperties: false }),
    ];
    const value = fc.oneof(
      fc.jsonValue().map((any) => any as unknown),
      fc.record({
        ...Object.fromEntries(
          Object.entries(thing).map(([name, each]) => [
            name,
            fc.oneof(fc.constant(each), fc.jsonValue()),
          ]),
        ),
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...schemas), value, (schema, any) => {
        expect(findFault(any, plain(schema)) === null).toBe(Value.Check(schema, any));
      }),
      { numRuns: 2_000 },
    );
  });
});

type Script = (Response | 'cut')[];

function scripted(script: Script, options: Partial<ApiOptions> = {}) {
  const sent: Request[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    sent.push(new Request(url, init));
    const answer = script.shift();
    if (!answer || answer === 'cut') throw new TypeError('fetch failed');
    return answer;
  };
  return { sent, api: createApi({ url: 'https://service.example/', fetch, ...options }) };
}

test('a client without the address of the service is refused as it is made, and says what it lacks', () => {
  for (const options of [undefined, {}, { apiKey: 'org_1' }, { url: '' }, { url: 3_000 }]) {
    expect(() => createApi(options as never)).toThrow(
      new TypeError('`url` is needed: the address of the service.'),
    );
  }
});

const envelope = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { code, message: 'A sentence.' } }, { status, headers });
const caught = (work: Promise<unknown>) => work.catch((thrown: unknown) => thrown);

describe('the typed client', () => {
  test('sends the key that the operation takes', async () => {
    const { api, sent } = scripted(
      [Response.json([]), Response.json({ accepted: 1 }, { status: 202 })],
      {
        apiKey: 'svk_1',
        serviceKey: 'svp_1',
      },
    );
    await api.listApps();
    await api.sendEvents({ body: { events: [{ name: 'a', anonymousId: 'anon-0001' }] } });
    expect(
      sent.map((one) => [one.headers.get('x-api-key'), one.headers.get('x-service-key')]),
    ).toEqual([
      ['svk_1', null],
      [null, 'svp_1'],
    ]);
    expect(sent.map(({ url }) => url)).toEqual([
      'https://service.example/v1/apps',
      'https://service.example/v1/events',
    ]);
  });

  test('escapes what stands in the path', async () => {
    const { api, sent } = scripted([envelope(404, 'not_found'), Response.json({ entries: [] })]);
    await caught(api.getApp({ id: 'a/../b?c' }));
    await caught(api.listLogs({ query: { q: 'a&b=c', limit: 3 } }));
    expect(sent.map(({ url }) => url)).toEqual([
      'https://service.example/v1/apps/a%2F..%2Fb%3Fc',
      'https://service.example/v1/logs?q=a%26b%3Dc&limit=3',
    ]);
    expect(await caught(api.getApp({ id: '' }))).toBeInstanceOf(TypeError);
  });

  test('reads again after a broken connection, a 503 and a 429', async () => {
    const { api, sent } = scripted([
      'cut',
      envelope(503, 'unavailable', { 'retry-after': '0' }),
      envelope(429, 'rate_limited', { 'retry-after': '0' }),
      Response.json([]),
    ]);
    expect(await api.listApps()).toEqual([]);
    expect(sent).toHaveLength(4);
  });

  test('asks once where only whoever runs the service can help', async () => {
    const { api, sent } = scripted([envelope(503, 'provider_not_configured')]);
    expect(await caught(api.listApps())).toMatchObject({ code: 'provider_not_configured' });
    expect(sent).toHaveLength(1);
  });

  test('does not write again when the first may have done it', async () => {
    const body = { slug: 'my-app', displayName: 'x' };
    const cut = scripted(['cut']);
    expect(await caught(cut.api.createApp({ body }))).toMatchObject({ name: 'ConnectionError' });
    const unavailable = scripted([envelope(503, 'unavailable')]);
    expect(await caught(unavailable.api.createApp({ body }))).toMatchObject({
      code: 'unavailable',
    });
    expect([cut.sent.length, unavailable.sent.length]).toEqual([1, 1]);
  });

  test('writes again after 429, which comes before anything is done', async () => {
    const { api, sent } = scripted([
      envelope(429, 'rate_limited', { 'retry-after': '0' }),
      Response.json({ accepted: true }, { status: 202 }),
    ]);
    await api.writeLog({ body: { message: 'hello' } });
    expect(sent).toHaveLength(2);
  });

  test('sends events again only when each has an id', async () => {
    const event = { name: 'app_opened', anonymousId: 'anon-0001' };
    const accepted = () => Response.json({ accepted: 1 }, { status: 202 });
    const withId = scripted(['cut', accepted()]);
    await withId.api.sendEvents({ body: { events: [{ ...event, id: 'event-0001' }] } });
    expect(withId.sent).toHaveLength(2);
    const without = scripted(['cut', accepted()]);
    await caught(without.api.sendEvents({ body: { events: [event] } }));
    expect(without.sent).toHaveLength(1);
  });

  test('does not wait for a limit that lasts longer than anybody would', async () => {
    const { api, sent } = scripted([envelope(429, 'rate_limited', { 'retry-after': '3600' })]);
    expect(await caught(api.listApps())).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 3600,
    });
    expect(sent).toHaveLength(1);
  });

  test('refuses an answer that is not what the service declares', async () => {
    const { api } = scripted([
      Response.json([{ id: 1 }]),
      new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      Response.json({ no: 'envelope' }, { status: 400 }),
      Response.json([], { status: 206 }),
    ]);
    for (const part of ['/0/orgId is missing', 'not JSON', 'without an error', 'not declared']) {
      expect(await caught(api.listApps())).toMatchObject({
        name: 'ContractError',
        message: expect.stringContaining(part),
      });
    }
  });

  test('stops when the caller does', async () => {
    const { api, sent } = scripted([
      envelope(503, 'unavailable', { 'retry-after': '10' }),
      Response.json([]),
    ]);
    const controller = new AbortController();
    const call = caught(api.listApps({}, { signal: controller.signal }));
    controller.abort();
    expect(await call).toMatchObject({ name: expect.stringMatching(/ConnectionError|ApiError/) });
    expect(sent).toHaveLength(1);
  });

  test('walks the pages of a list', async () => {
    const page = (people: string[], nextCursor: string | null) =>
      Response.json({
        people: people.map((personId) => ({ personId, reachedAt: '2026-03-01T12:00:00.000Z' })),
        nextCursor,
      });
    const { api, sent } = scripted([page(['a', 'b'], 'next'), page(['c'], null)]);
    const found: string[] = [];
    const input = { id: 'app_1', funnelId: 'fun_1', query: { step: 1 } };
    for await (const { people } of api.pages('listFunnelPeople', input)) {
      found.push(...people.map(({ personId }) => personId));
    }
    expect(found).toEqual(['a', 'b', 'c']);
    expect(new URL(sent[1]?.url ?? '').searchParams.get('cursor')).toBe('next');
  });
});
