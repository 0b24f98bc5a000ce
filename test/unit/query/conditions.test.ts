import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { rowMatcher } from '../../../src/query/selection/condition-match.ts';
import { whereSql } from '../../../src/query/selection/condition-sql.ts';
import {
  Conditions,
  checkConditions,
  placedConditions,
} from '../../../src/query/selection/conditions.ts';
import { compareVersions, versionKey } from '../../../src/shared/app-version.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { parser } from '../../../src/shared/schema.ts';
import { isMeant } from '../../support/conditions-reference.ts';
import { eventRow, TestDuck } from '../../support/event-source.ts';
import { randomConditions, randomFacts } from '../../support/random-conditions.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const conditions = parser(Conditions, 'conditions');
const rows = fc
  .array(randomFacts, { minLength: 1, maxLength: 40 })
  .map((all) => all.map((facts, index) => eventRow({ ...facts, arrival: index })));

describe('conditions', () => {
  test('hold for the rows that plain loops find, in DuckDB and in memory', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.array(randomConditions, { minLength: 1, maxLength: 10 }),
        async (events, asked) => {
          const found = await duck.query({ hotRows: events }, async (connection) => {
            const columns = asked.map((where) => `coalesce(${whereSql(where).condition}, false)`);
            const result = await connection.run(
              `SELECT ${columns.join(', ')} FROM hot_events ORDER BY arrival`,
            );
            return result.getRows();
          });
          for (const [place, where] of asked.entries()) {
            expect(conditions.check(where)).toBe(true);
            checkConditions(where);
            const expected = events.map((row) => isMeant(row, where));
            expect({ where, found: found.map((row) => row[place]) }).toEqual({
              where,
              found: expected,
            });
            const matcher = rowMatcher(where);
            expect({ where, found: events.map(matcher) }).toEqual({ where, found: expected });
          }
        },
      ),
      { numRuns: process.env.TEST_FULL ? 1_500 : 60 },
    );
  });

  test('say nothing of others where a property is cut within a character', async () => {
    const props = '{"cut":"a\\ud83d","plan":"yearly"}';
    const where = (field: string, op: 'contains' | 'beginsWith') => ({
      all: [{ field: `prop:${field}`, op, value: 'a' }],
    });
    const sql = [where('plan', 'contains'), where('cut', 'beginsWith')].map(
      (one) => `coalesce(${whereSql(one).condition}, false)`,
    );
    const found = await duck.query({ hotRows: [eventRow({ name: 'opened', props })] }, async (c) =>
      (await c.run(`SELECT ${sql.join(', ')} FROM hot_events`)).getRows(),
    );
    expect(found).toEqual([[true, false]]);
  });

  test('name the place of what the schema cannot refuse', () => {
    const hintOf = (where: Conditions) => {
      try {
        checkConditions(where, 'series[1].where');
        return null;
      } catch (thrown) {
        return thrown instanceof AppError ? thrown.hint : thrown;
      }
    };
    const one = { field: 'prop:a', op: 'isSet' } as const;
    const eight = Array.from({ length: 8 }, () => one);
    expect(hintOf({ all: [one, { any: [one, { field: 'locale', op: 'is', value: 5 }] }] })).toBe(
      'series[1].where.all[1].any[1].value: must be text, as locale is',
    );
    expect(hintOf({ all: [{ field: 'appVersion', op: 'gte', value: 'new' }] })).toBe(
      'series[1].where.all[0].value: must be a version such as 2.10',
    );
    expect(hintOf({ any: [{ field: 'prop:a', op: 'between', from: 1, to: '2' }] })).toBe(
      'series[1].where.any[0].to: must be of the type of from',
    );
    expect(hintOf({ any: [{ field: 'country', op: 'isOneOf', values: ['DE', 1] }] })).toBe(
      'series[1].where.any[0].values[1]: must be text, as country is',
    );
    expect(hintOf({ any: [{ all: eight }, { all: eight }] })).toBe(
      'series[1].where.any[1].all[4]: is one of more than 12 conditions',
    );
    expect(hintOf({ any: [{ all: eight }, one, one, one, one] })).toBe(null);
  });

  test('keep their places', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({
      field: `prop:${name}`,
      op: 'isSet' as const,
    }));
    expect(placedConditions({ any: [a!, { all: [b!, c!] }] }, 'where')).toEqual([
      { place: 'where.any[0]', condition: a! },
      { place: 'where.any[1].all[0]', condition: b! },
      { place: 'where.any[1].all[1]', condition: c! },
    ]);
  });

  test.each([
    [{ all: [] }],
    [{ all: [{ field: 'device', op: 'isSet' }] }],
    [{ all: [{ field: `prop:${'x'.repeat(65)}`, op: 'isSet' }] }],
    [{ all: [{ field: 'name', op: 'isSet', value: 'x' }] }],
    [{ all: [{ all: [{ any: [{ field: 'name', op: 'isSet' }] }] }] }],
    [{ any: [{ field: 'name', op: 'isOneOf', values: [] }] }],
  ])('%j are none', (where) => {
    expect(conditions.check(where)).toBe(false);
  });
});

test('the key of a version has the order of versions', () => {
  const number = fc.oneof(fc.nat(12), fc.constantFrom(100, 99, 123_456_789_012_345));
  const version = fc
    .tuple(fc.array(number, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '-b', ' (7)'))
    .map(([numbers, rest]) => numbers.join('.') + rest);
  fc.assert(
    fc.property(version, version, (one, other) => {
      const [a, b] = [versionKey(one) ?? '', versionKey(other) ?? ''];
      const isSame = compareVersions(one, other) === 0 || a === b;
      expect(isSame ? 0 : a < b ? -1 : 1).toBe(isSame ? 0 : Math.sign(compareVersions(one, other)));
    }),
  );
  expect(versionKey('nightly')).toBe(null);
  expect(versionKey('2.10')).toBe(versionKey('v02.10.0.0'));
});
