import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { idOrNull, isNoId, joinedIds, namedIds, unknownIds } from '../../../src/shared/identity.ts';

const DEVICE = '0198a1b2-0000-7000-8000-000000000001';
const WORDS = [
  ...['undefined', 'null', 'none', 'nil', 'nan', '[object Object]', '0', '-1', 'true', 'false'],
  ...[
    'anonymous',
    'guest',
    'unknown',
    'n/a',
    '{}',
    '[]',
    '<nil>',
    '(null)',
    '<null>',
    '[object Null]',
    '"undefined"',
    "'null'",
  ],
  ...['00000000-0000-0000-0000-000000000000', '{00000000-0000-0000-0000-000000000000}'],
  ...['0000000000000000', '', '   ', '\u00a0\t\n'],
  ...[
    '\u200bundefined',
    'nu\u00adll\ufeff',
    '\u2060\u200d',
    '\u200b00000000-0000-0000-0000-000000000000',
  ],
  ...['[object Promise]', '[object DOMStringMap]', '(none)', '<none>', '`null`', '“null”', '-nan'],
  ...['Optional(nil)', '(not set)', '-', '0.0', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ...['(00000000-0000-0000-0000-000000000000)', '“00000000-0000-0000-0000-000000000000”'],
  ...['"[object HTMLTextAreaElement]"', '[object CanvasRenderingContext2D]'],
  ...['"00000000-0000-0000-0000-000000000000"', "'000000000000000000000000000000'"],
];

describe('a value that is no id', () => {
  test.each(WORDS)('%j in any letter case, with blanks around it', (word) => {
    for (const text of [word, word.toUpperCase(), ` ${word}\n`, `\u00a0${word}`]) {
      expect([text, isNoId(text), idOrNull(text)]).toEqual([text, true, null]);
    }
  });

  test.each([
    'undefined-1',
    'null@example.com',
    'anonymous-0001',
    '10',
    'nobody',
    '\u200bann',
    DEVICE,
    'nan-cy',
    '[object Promise] 1',
    '<none@example.com>',
    '(null',
    'ffffffff',
    'ffffffff-ffff-ffff-ffff-fffffffffff1',
  ])('%j is one, since it is matched whole', (id) => expect(idOrNull(id)).toBe(id));

  test('is none of ids that clients make', () => {
    const made = fc.oneof(fc.uuid(), fc.stringMatching(/^[0-9a-f]{16}$/), fc.emailAddress());
    fc.assert(
      fc.property(
        made.filter((id) => /[1-9a-z]/.test(id)),
        (id) => !isNoId(id),
      ),
    );
  });
});

describe('what a format sends', () => {
  test('is a device and its user where it says which is which, however short', () => {
    expect(namedIds({ user: 'u1', device: DEVICE })).toEqual({ anonymousId: DEVICE, userId: 'u1' });
    expect(namedIds({ user: 'u1', device: 'd1' })).toEqual({
      anonymousId: 'imported-d1',
      userId: 'u1',
    });
    expect(namedIds({ device: 'd1' })).toEqual({ anonymousId: 'imported-d1' });
    expect(namedIds({ user: 'user-0001' })).toEqual({
      anonymousId: 'user-0001',
      userId: 'user-0001',
    });
    expect(namedIds({})).toEqual({ anonymousId: '' });
  });

  test('keeps values that are no ids, for the store to know', () => {
    const [nobody, device] = ['00000000-0000-0000-0000-000000000000', 'undefined'];
    expect(namedIds({ user: 'None' })).toEqual({ anonymousId: nobody, userId: 'None' });
    expect(namedIds({ user: 'u-1', device: 'null' })).toEqual({
      anonymousId: 'imported-u-1',
      userId: 'u-1',
    });
    expect(namedIds({ user: 'null', device: DEVICE })).toEqual({
      anonymousId: DEVICE,
      userId: 'null',
    });
    expect(namedIds({ device })).toEqual({ anonymousId: device });
  });

  test('is a user beside a device, or where it is short, if it may be either', () => {
    expect(unknownIds('user-0001', undefined)).toEqual({ anonymousId: 'user-0001' });
    expect(unknownIds('u1', undefined)).toEqual({ anonymousId: 'imported-u1', userId: 'u1' });
    expect(unknownIds('user-0001', DEVICE)).toEqual({ anonymousId: DEVICE, userId: 'user-0001' });
    expect(unknownIds(DEVICE, DEVICE)).toEqual({ anonymousId: DEVICE });
  });
});

describe('two joined ids', () => {
  const joined = { anonymousId: 'anon-abc123', userId: 'user-42', isOpen: false };

  test.each([
    ['anon-abc123', 'user-42'],
    ['user-42', 'anon-abc123'],
  ])('%s and %s: the device is the one that looks like it', (earlier, later) => {
    expect(joinedIds(earlier, later)).toEqual(joined);
  });

  test('of one form stay open, the later one being the user', () => {
    expect(joinedIds('first-0001', 'second-0001')).toEqual({
      anonymousId: 'first-0001',
      userId: 'second-0001',
      isOpen: true,
    });
  });

  test.each<[string | undefined, string, object]>([
    ['device-0001', 'device-0001', { anonymousId: 'device-0001' }],
    ['u1', 'u1', { anonymousId: 'imported-u1', userId: 'u1' }],
    ['device-0001', 'undefined', { anonymousId: 'device-0001' }],
    ['undefined', 'device-0001', { anonymousId: 'device-0001' }],
    [undefined, 'device-0001', { anonymousId: 'device-0001' }],
    ['null', 'u1', { anonymousId: 'imported-u1', userId: 'u1' }],
    ['undefined', 'anonymous', { anonymousId: 'undefined' }],
  ])('%s and %s are one id, or none: no device becomes its own user', (one, other, ids) => {
    expect(joinedIds(one, other)).toEqual({ ...ids, isOpen: false } as never);
  });

  test('are joined also where both are short', () => {
    expect(joinedIds('a1', 'u1')).toEqual({
      anonymousId: 'imported-a1',
      userId: 'u1',
      isOpen: false,
    });
  });
});
