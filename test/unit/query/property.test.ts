import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { whereSql } from '../../../src/query/selection/condition-sql.ts';
import { matchConditions, type PropertyMatch } from '../../../src/query/selection/filters.ts';
import { DUCKDB } from '../../../src/query/selection/property.ts';
import { instantLiteral, textLiteral } from '../../../src/storage/duckdb-literal.ts';
import { TestDuck } from '../../support/event-source.ts';
import { matches } from '../../support/funnel-reference.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const propertyMatchSql = (match: PropertyMatch) => whereSql(matchConditions(match)).condition;

type Value = string | number | boolean | null;

/** For each of `props`, whether the condition holds; null when it is neither. */
async function evaluate(condition: string, props: readonly (string | null)[]): Promise<unknown[]> {
  return duck.query({}, async (connection) => {
    const values = props.map(
      (text, index) => `(${index}, ${text === null ? 'NULL' : textLiteral(text)})`,
    );
    const rows = await (
      await connection.run(
        `SELECT ${condition} FROM (VALUES ${values.join(', ')}) t(i, props) ORDER BY i`,
      )
    ).getRows();
    return rows.map(([value]) => value);
  });
}

/** Pieces that make text look like the JSON around it. */
const tricky = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'p',
        '"',
        '\\',
        ',',
        ':',
        '{',
        '}',
        '1',
        'true',
        '"p":"1"',
        ',"p":1',
        ' ',
        'ü',
        '😀',
        '\n',
      ),
      fc.string({ unit: 'binary', maxLength: 2 }).map((text) => text.replaceAll('\u0000', '')),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));
const value: fc.Arbitrary<Value> = fc.oneof(
  tricky,
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);

describe('a property match', () => {
  test('finds exactly what the rule says, whatever the text looks like', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(tricky, value, { maxKeys: 4 }), { minLength: 1, maxLength: 60 }),
        fc.oneof(
          fc.constant('p'),
          tricky.filter((text) => text !== ''),
        ),
        tricky,
        fc.nat(),
        async (rows, prop, equals, pick) => {
          // Half of the time the match is taken from the rows, so that there is something to find.
          const members = rows.flatMap((row) => Object.entries(row));
          const [usedProp, usedValue] = members[pick % Math.max(1, members.length * 2)] ?? [
            prop,
            equals,
          ];
          const where = { prop: usedProp, equals: String(usedValue) };
          const expected = rows.map((props) =>
            matches(
              { person: 'p', name: 'a', at: 0, batchIndex: 0, arrival: 0, props },
              { event: 'a', where },
            ),
          );
          const actual = await evaluate(
            `coalesce(${propertyMatchSql(where)}, false)`,
            rows.map((row) => JSON.stringify(row)),
          );
          expect(actual).toEqual(expected);
        },
      ),
      { numRuns: process.env.TEST_FULL ? 2_000 : 120 },
    );
  });

  test.each<[Record<string, Value>, string, boolean]>([
    [{ p: 'yearly' }, 'yearly', true],
    [{ p: 'Yearly' }, 'yearly', false],
    [{ p: 1.0 }, '1', true],
    [{ p: 1 }, '1.0', false],
    [{ p: '1.0' }, '1.0', true],
    [{ p: 0.1 }, '0.1', true],
    [{ p: 1e21 }, '1e+21', true],
    [{ p: true }, 'true', true],
    [{ p: 'true' }, 'true', true],
    [{ p: null }, 'null', false],
    [{}, '', false],
    [{ p: '' }, '', true],
    [{ 'x"p': 'a' }, 'a', false],
    [{ 'x,"p': 'a' }, 'a', false],
    [{ x: '{"p":"a"}' }, 'a', false],
    [{ x: ',', p: 'a' }, 'a', true],
  ])('%j equals %j: %p', async (props, equals, expected) => {
    const condition = `coalesce(${propertyMatchSql({ prop: 'p', equals })}, false)`;
    expect(await evaluate(condition, [JSON.stringify(props)])).toEqual([expected]);
  });

  test('an event without props does not match', async () => {
    expect(await evaluate(propertyMatchSql({ prop: 'p', equals: 'x' }), [null])).toEqual([null]);
  });
});

describe('the text of a property', () => {
  test('is what `equals` would name', async () => {
    const props = [{ p: 'a"b' }, { p: 1.5 }, { p: true }, { p: null }, {}].map((one) =>
      JSON.stringify(one),
    );
    expect(await evaluate(DUCKDB.text('p'), props)).toEqual(['a"b', '1.5', 'true', null, null]);
  });
});

describe('literals', () => {
  test('quote what is quoted and refuse what is no instant', async () => {
    expect(textLiteral("it's")).toBe("'it''s'");
    expect(() => instantLiteral(1.5)).toThrow();
    expect(await evaluate(`epoch_us(${instantLiteral(1_792_454_400_123_456)})`, ['{}'])).toEqual([
      1_792_454_400_123_456n,
    ]);
  });
});
