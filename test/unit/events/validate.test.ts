import { describe, expect, test } from 'bun:test';
import { validateBatch } from '../../../src/modules/events/validate.ts';
import { AppError } from '../../../src/shared/errors.ts';

const good = { name: 'app_opened', anonymousId: 'anon-0001' };
const withEvent = (fields: object) => ({ events: [good, { ...good, ...fields }] });

/** The hint of the refusal, or null when the batch is taken. */
function refusal(body: unknown): string | null {
  try {
    validateBatch(body);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('invalid_batch');
    return error.hint ?? '';
  }
}

test('a field is named with at most 200 characters', () => {
  const field = refusal(withEvent({ ['x'.repeat(300)]: 1, props: { ['y'.repeat(300)]: {} } }));
  expect(field?.split(': ')[0]?.length).toBeLessThanOrEqual(200);
});

describe('a batch is taken', () => {
  const emoji = '😀';
  const taken: [string, unknown][] = [
    ['with the least that is needed', { events: [good] }],
    ['with 100 events', { events: Array.from({ length: 100 }, () => good) }],
    [
      'with every field',
      {
        events: [
          {
            ...good,
            id: 'event-01',
            ts: '2026-01-01T00:00:00.123+02:00',
            userId: 'u',
            sessionId: 's',
            props: { a: 'x', b: 1.5, c: true, d: null },
          },
        ],
        context: {
          platform: 'ios',
          appVersion: '1',
          osVersion: '2',
          locale: 'de-DE',
          country: 'DE',
        },
      },
    ],
    ['with an empty context', { events: [good], context: {} }],
    ['with a name of 64 characters', withEvent({ name: `a${'_9'.repeat(31)}b` })],
    ['with an anonymous id of 128 emoji', withEvent({ anonymousId: emoji.repeat(128) })],
    ['with a property of 500 emoji', withEvent({ props: { a: emoji.repeat(500) } })],
    ['with NUL in a property', withEvent({ props: { a: 'x\u0000y' } })],
    ['with a time far in the future', withEvent({ ts: '9999-12-31T23:59:59Z' })],
    ['with fields that nobody knows', { ...withEvent({ extra: { deep: [] } }), more: 1 }],
  ];
  for (const [name, body] of taken) {
    test(name, () => expect(refusal(body)).toBeNull());
  }
});

describe('a batch is refused, naming event and field', () => {
  const cases: [string, unknown, string][] = [
    ['that is no object', [], 'body: '],
    ['that is missing', undefined, 'body: '],
    ['without events', {}, 'events: '],
    ['of no event', { events: [] }, 'events: must be an array of 1 to 100'],
    ['of 101 events', { events: Array.from({ length: 101 }, () => good) }, 'events: '],
    ['with an event that is null', { events: [good, null] }, 'events[1]: must be an event object'],
    ['with a capital in a name', withEvent({ name: 'App' }), 'events[1].name: must be 1 to 64'],
    ['with a reserved name', withEvent({ name: '$exposure' }), 'events[1].name: '],
    ['with an empty name', withEvent({ name: '' }), 'events[1].name: '],
    ['with a name of 65 characters', withEvent({ name: 'a'.repeat(65) }), 'events[1].name: '],
    ['with a name that ends in a newline', withEvent({ name: 'a\n' }), 'events[1].name: '],
    ['without a name', { events: [{ anonymousId: 'anon-0001' }] }, 'events[0].name: '],
    ['without an anonymous id', { events: [{ name: 'a' }] }, 'events[0].anonymousId: '],
    ['with a short anonymous id', withEvent({ anonymousId: '1234567' }), 'events[1].anonymousId: '],
    [
      'with an anonymous id of 4 emoji',
      withEvent({ anonymousId: '😀😀😀😀' }),
      'events[1].anonymousId',
    ],
    ['with NUL in an id', withEvent({ anonymousId: 'anon\u00000001' }), 'events[1].anonymousId: '],
    ['with a long user id', withEvent({ userId: 'x'.repeat(129) }), 'events[1].userId: '],
    ['with a user id of null', withEvent({ userId: null }), 'events[1].userId: '],
    ['with a number as session', withEvent({ sessionId: 5 }), 'events[1].sessionId: '],
    ['with a short id', withEvent({ id: '1234567' }), 'events[1].id: '],
    ['with a date as time', withEvent({ ts: '2026-01-01' }), 'events[1].ts: '],
    ['with a time without offset', withEvent({ ts: '2026-01-01T00:00:00' }), 'events[1].ts: '],
    ['with a day that does not exist', withEvent({ ts: '2026-02-30T00:00:00Z' }), 'events[1].ts: '],
    [
      'with a nested property',
      withEvent({ props: { a: {} } }),
      'events[1].props.a: must be a string',
    ],
    ['with a list as property', withEvent({ props: { a: [1] } }), 'events[1].props.a: '],
    ['with a long property', withEvent({ props: { a: 'x'.repeat(501) } }), 'events[1].props.a: '],
    ['with properties in a list', withEvent({ props: [1] }), 'events[1].props: must be an object'],
    [
      'with an infinite number',
      withEvent({ props: { a: Number.POSITIVE_INFINITY } }),
      'events[1].props.a',
    ],
    [
      'with an unknown platform',
      { events: [good], context: { platform: 'tv' } },
      'context.platform: ',
    ],
    [
      'with a long version',
      { events: [good], context: { appVersion: 'x'.repeat(41) } },
      'context.appVersion',
    ],
    [
      'with a long locale',
      { events: [good], context: { locale: 'x'.repeat(17) } },
      'context.locale',
    ],
    [
      'with a country of 3 letters',
      { events: [good], context: { country: 'DEU' } },
      'context.country',
    ],
    ['with a context of null', { events: [good], context: null }, 'context: '],
  ];
  for (const [name, body, hint] of cases) {
    test(name, () => expect(refusal(body)).toStartWith(hint));
  }
});
