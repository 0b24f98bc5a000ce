import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { searchable, toEntry, toRecord } from '../../../src/modules/logs/record.ts';

const AT = new Date('2026-11-21T08:00:00.123Z');
const record = (input: Parameters<typeof toRecord>[2]) => toRecord('org_1', AT, input);

describe('toRecord', () => {
  test('fills in what was left out', () => {
    expect(record({ message: 'hello' })).toMatchObject({
      orgId: 'org_1',
      at: AT,
      level: 'info',
      service: 'service-dashboard',
      env: null,
      requestId: null,
      appId: null,
    });
  });

  test('takes what can be filtered by from the fields, strings only', () => {
    const fields = { env: 'prod', requestId: 'r1', appId: 'app_1' };
    expect(record({ message: 'm', fields })).toMatchObject(fields);
    const odd = { env: 3, requestId: 'x'.repeat(129), appId: null };
    expect(record({ message: 'm', fields: odd })).toMatchObject({
      env: null,
      requestId: null,
      appId: null,
    });
  });

  test('finds keys and values of any depth, in any case', () => {
    const fields = { User: { Name: 'Ada', tags: ['A', { deep: true }] }, ms: 12, none: null };
    const { haystack } = record({ message: 'Hello', fields });
    for (const needle of ['hello', 'name ada', 'tags a', 'deep true', 'ms 12', 'none null']) {
      expect(haystack).toContain(needle);
    }
  });

  test('refuses more people than can be looked up', () => {
    const ids = Array.from({ length: 1_001 }, (_, n) => `user-${n}`);
    const naming = (userIds: string[]) => record({ message: 'm', fields: { userIds, userId: '' } });
    expect(naming([...ids.slice(1), 'user-7']).people.users).toHaveLength(1_000);
    expect(() => naming(ids)).toThrow('not valid');
  });

  test('refuses what is nested too deep for anybody to walk', () => {
    const nested = (levels: number): Record<string, unknown> =>
      levels === 0 ? {} : { a: nested(levels - 1) };
    expect(() => record({ message: 'm', fields: nested(32) })).not.toThrow();
    expect(() => record({ message: 'm', fields: nested(34) })).toThrow('not valid');
  });

  test('whatever is said comes back as it was said', () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 50 });
    const odd = fc.constantFrom('\u0000', '\ud800', 'a\u0000b', '\udc00x', '\u001b[31m', '😀');
    fc.assert(
      fc.property(fc.oneof(text, odd), fc.dictionary(text, fc.jsonValue()), (message, fields) => {
        const made = record({ message, fields });
        expect(made.haystack).not.toContain('\u0000');
        expect(made.haystack.isWellFormed()).toBe(true);
        expect(made.entry).not.toContain('\u0000');
        expect(made.entry.isWellFormed()).toBe(true);
        expect(made.haystack).toContain(searchable(message));
        const entry = toEntry(made);
        expect(entry.message).toBe(message);
        expect(entry.fields).toEqual(JSON.parse(JSON.stringify(fields)));
      }),
    );
  });

  test('names of the language itself are fields like others', () => {
    const fields = JSON.parse('{"__proto__": {"env": "x"}, "constructor": "c", "toString": 1}');
    const made = record({ message: 'm', fields });
    expect(made.env).toBeNull();
    expect(made.haystack).toContain('constructor c');
    expect(JSON.stringify(toEntry(made).fields)).toBe(JSON.stringify(fields));
  });
});
