import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { faultAt, faultOf } from '../../../src/console/state/ask-fault.ts';
import {
  conditionsOf,
  countOf,
  narrowed,
  operatorsOf,
  type Said,
  type Where,
  whereOf,
} from '../../../src/console/state/conditions.ts';

const said = (field: string, operator: Said['operator'], ...values: string[]): Said => ({
  ...{ field, operator, values },
});
const all = (...parts: Where['parts']): Where => ({ word: 'all', parts });

const Value = fc.constantFrom('ios', '5', '2.10', 'true', 'unknown', 'other', 'a b', '-1');
const Field = fc.constantFrom('platform', 'appVersion', 'country', 'locale', 'prop:n', 'prop:term');
const OneSaid = fc
  .tuple(Field, fc.nat(), fc.uniqueArray(Value, { minLength: 2, maxLength: 4 }))
  .map(([field, at, values]): Said => {
    const operators = operatorsOf(field);
    const operator = operators[at % operators.length] ?? 'is';
    if (operator === 'isSet' || operator === 'isNotSet') return said(field, operator);
    if (operator === 'isOneOf') return { field, operator, values };
    return { field, operator, values: values.slice(0, operator === 'between' ? 2 : 1) };
  });
const Member = fc
  .record({ id: fc.constantFrom('seg_1', 'seg_2'), isOf: fc.boolean(), asOf: fc.boolean() })
  .map(({ id, isOf, asOf }) =>
    said('segment', isOf ? 'is' : 'isNot', id, ...(asOf ? ['event'] : [])),
  );
const Word = fc.constantFrom('all' as const, 'any' as const);

describe('conditions', () => {
  test('are asked with each type that a value may have been sent with', () => {
    expect(
      conditionsOf(
        all(
          said('platform', 'isNot', 'android'),
          said('appVersion', 'gte', '2.10'),
          said('prop:results', 'is', '0'),
          said('prop:n', 'isNot', '5'),
          said('prop:n', 'between', '1', '2.5'),
          said('prop:plan', 'isOneOf', 'year', 'true'),
        ),
      ),
    ).toEqual({
      all: [
        { field: 'platform', op: 'isNot', value: 'android' },
        { field: 'appVersion', op: 'gte', value: '2.10' },
        { field: 'prop:results', op: 'isOneOf', values: ['0', 0] },
        {
          all: [
            { field: 'prop:n', op: 'isNot', value: '5' },
            { field: 'prop:n', op: 'isNot', value: 5 },
          ],
        },
        { field: 'prop:n', op: 'between', from: 1, to: 2.5 },
        { field: 'prop:plan', op: 'isOneOf', values: ['year', 'true', true] },
      ],
    });
  });

  test('find what breakdowns call unknown where nothing was sent too', () => {
    expect(conditionsOf(all(said('country', 'is', 'unknown')))).toEqual({
      all: [
        {
          any: [
            { field: 'country', op: 'is', value: 'unknown' },
            { field: 'country', op: 'isNotSet' },
          ],
        },
      ],
    });
  });

  test('are read as they were said, one by one and at the same place', () => {
    fc.assert(
      fc.property(
        Word,
        fc.array(fc.oneof(OneSaid, Member), { minLength: 1, maxLength: 6 }),
        (word, parts) => {
          const asked = conditionsOf({ word, parts });
          expect(whereOf(asked)).toEqual({ word, parts });
          const items = asked && 'all' in asked ? asked.all : (asked?.any ?? []);
          expect(items).toHaveLength(parts.length);
        },
      ),
    );
  });

  test('stand in a group as said, where no condition in it needs two', () => {
    const group = {
      word: 'any' as const,
      said: [said('country', 'is', 'DE'), said('prop:n', 'gt', '5')],
    };
    const where = all(said('platform', 'is', 'ios'), group);
    expect(whereOf(conditionsOf(where))).toEqual(where);
    expect(countOf(where)).toBe(3);
    expect(conditionsOf(all())).toBeUndefined();
  });

  test('are narrowed without losing one', () => {
    const group = { word: 'all' as const, said: [said('country', 'is', 'DE')] };
    const [ios, version] = [said('platform', 'is', 'ios'), said('appVersion', 'is', '2.10')];
    const whereOfNarrowed = (where: Where) => {
      const conditions = conditionsOf(where);
      return whereOf(narrowed({ ...(conditions && { where: conditions }) }, version).where);
    };
    expect(whereOfNarrowed(all(ios, group))).toEqual(all(ios, group, version));
    expect(whereOfNarrowed({ word: 'any', parts: [ios] })).toEqual(
      all({ word: 'any', said: [ios] }, version),
    );
    const nested: Where = { word: 'any', parts: [ios, group] };
    expect(whereOfNarrowed(nested)).toEqual(nested);
  });

  test('are those that a field can have', () => {
    expect(operatorsOf('platform')).toEqual(['is', 'isNot', 'isOneOf', 'isSet', 'isNotSet']);
    expect(operatorsOf('appVersion')).toContain('between');
    expect(operatorsOf('appVersion')).not.toContain('contains');
    expect(operatorsOf('prop:term')).toContain('beginsWith');
  });
});

describe('a wrong question', () => {
  const error = {
    code: 'invalid_input',
    message: 'The request is not valid.',
    hint: 'steps[1].where.all[0].value: must be a version such as 2.10',
    requestId: undefined,
    forbidden: false,
    signedOut: false,
  };

  test('says its fault at the condition, and at no other', () => {
    const at = faultAt(faultOf(error));
    expect(at('steps[1].where.all[0]')).toBe('must be a version such as 2.10');
    expect(at('steps[1].where.all[1]')).toBeUndefined();
    expect(at('steps[11].where.all[0]')).toBeUndefined();
    expect(at('steps[1].events')).toBeUndefined();
    expect(faultOf({ ...error, hint: 'Try again in a few seconds.' })).toBeUndefined();
  });
});
