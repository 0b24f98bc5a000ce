import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { segment } from '../../../src/modules/events/imports/segment.ts';
import { segmentKey } from '../../../src/modules/events/intake/protocols.ts';
import { validateBatch } from '../../../src/modules/events/validate.ts';

const who = { anonymousId: 'device-0001', userId: 'u-1' };
const at = '2026-01-03T08:00:00.000Z';
const track = { type: 'track', event: 'Paywall Viewed', messageId: 'message-1', timestamp: at };
const eventOf = (message: Record<string, unknown>) => {
  const found = segment(message);
  if (typeof found === 'string') throw new Error(`left out: ${found}`);
  return found;
};

describe('the key', () => {
  const basic = (text: string) =>
    new Headers({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  test.each<[string, Headers, string, string | undefined]>([
    ['user name', basic('svp_a:'), '{"writeKey":"svp_b"}', 'svp_a'],
    ['field', new Headers(), '{"writeKey":"svp_b"}', 'svp_b'],
    ['none', new Headers(), '{}', undefined],
    ['no object', new Headers(), '[1]', undefined],
  ])('is found: %s', (_, headers, body, key) => {
    const found = segmentKey.inHeaders(headers) ?? segmentKey.inBody(JSON.parse(body));
    expect(found).toBe(key);
  });
});

describe('a message', () => {
  test('loses no property to one whose name no event may have', () => {
    const { event } = eventOf({ ...track, ...who, properties: { 'a\nb': 1, plan: 'year' } });
    expect(event.props).toEqual({ plan: 'year' });
  });

  test('keeps what imports keep', () => {
    const context = {
      app: { version: '1.4.0' },
      os: { name: 'iOS', version: '18.1' },
      locale: 'de-DE',
      location: { country: 'DE' },
      sessionId: 1_700_000_000,
    };
    const properties = { plan: 'year', time: 3, items: ['a'], $lib: 'x' };
    expect(eventOf({ ...track, ...who, context, properties })).toMatchObject({
      event: {
        id: 'message-1',
        name: 'paywall_viewed',
        ts: at,
        ...who,
        sessionId: '1700000000',
        props: { plan: 'year', time: 3, items: '["a"]' },
      },
      context: {
        platform: 'ios',
        appVersion: '1.4.0',
        osVersion: '18.1',
        locale: 'de-DE',
        country: 'DE',
      },
    });
  });

  test.each<[object, object]>([
    [
      { type: 'screen', name: 'Home' },
      { name: 'screen_viewed', props: { screen: 'Home' } },
    ],
    [
      { type: 'page', name: 'Docs', properties: { path: '/docs' } },
      { name: 'screen_viewed', props: { path: '/docs', screen: '/docs' } },
    ],
    [
      { type: 'identify', traits: { email: 'a@example.com' } },
      { name: 'identify', ...who, props: {} },
    ],
    [
      { type: 'alias', previousId: 'device-0000' },
      { name: 'identify', anonymousId: 'device-0000', userId: 'u-1' },
    ],
    [
      { type: 'alias', previousId: 'device-0000', userId: 'device-0000' },
      { name: 'identify', anonymousId: 'device-0000', userId: undefined },
    ],
    [
      { type: 'alias', previousId: 'u-1' },
      { name: 'identify', anonymousId: 'imported-u-1', userId: 'u-1' },
    ],
    [{ type: 'alias' }, { name: 'identify', ...who }],
    [
      { type: 'alias', previousId: null, userId: 'user-0001' },
      { anonymousId: who.anonymousId, userId: 'user-0001' },
    ],
    [{ event: 'Application Opened' }, { name: 'app_opened' }],
    [
      { timestamp: undefined, originalTimestamp: '2026-01-03T08:00:00' },
      { ts: `${at.slice(0, 19)}Z` },
    ],
    [{ anonymousId: undefined }, { anonymousId: 'imported-u-1', userId: 'u-1' }],
    [
      { anonymousId: undefined, userId: 'user-0001' },
      { anonymousId: 'user-0001', userId: 'user-0001' },
    ],
    [{ userId: null }, { anonymousId: 'device-0001' }],
  ])('%j', (changed, expected) => {
    expect(eventOf({ ...track, ...who, ...changed }).event).toMatchObject(expected);
  });

  test('of a browser is of the web, whatever system it runs on', () => {
    const context = { library: { name: 'analytics.js' }, os: { name: 'iOS' } };
    expect(eventOf({ ...track, ...who, context }).context).toEqual({ platform: 'web' });
  });

  test('of a group is left out', () => expect(segment({ type: 'group', ...who })).toBe('group'));

  test('of no known type is refused', () => {
    expect(() => segment({ type: 'delete', ...who })).toThrow('type: ');
  });

  test('long ids stay apart, short ones as they are', () => {
    const long = fc.string({ minLength: 65, maxLength: 200, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(long, fc.string({ minLength: 1, maxLength: 5 }), (id, tail) => {
        const [one, other] = [id, id + tail].map((messageId) => {
          const { event, context } = eventOf({ ...track, ...who, messageId });
          return validateBatch({ events: [event], context }).events[0]?.id;
        });
        return one !== undefined && one !== other;
      }),
    );
    expect(eventOf({ ...track, ...who, messageId: 'x'.repeat(64) }).event.id).toBe('x'.repeat(64));
  });

  test('of any JSON is mapped or refused with a sentence', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
        const context = fields;
        const { event } = eventOf({ ...fields, ...track, context, properties: fields });
        return typeof event.name === 'string';
      }),
    );
  });
});
