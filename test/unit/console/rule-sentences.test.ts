import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ruleWords } from '../../../src/console/pages/segments/clauses.ts';
import { selectionWords } from '../../../src/console/state/ask-words.ts';
import { conditionsOf, type Said, type Where } from '../../../src/console/state/conditions.ts';

const KNOWN = { arms: [], segments: [], entitled: [], today: '2026-11-30' };
const value = fc.constantFrom('pro', 'a, b', 'a', 'b', 'a or plan is b', 'a)', '“a”', '”, “');
const said: fc.Arbitrary<Said> = fc.oneof(
  fc.record({
    field: fc.constantFrom('prop:plan', 'prop:list'),
    operator: fc.constant('isOneOf' as const),
    values: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    field: fc.constantFrom('prop:plan', 'prop:list'),
    operator: fc.constantFrom('is' as const, 'isNot' as const),
    values: value.map((one) => [one]),
  }),
);
const word = fc.constantFrom('all' as const, 'any' as const);
const group = fc.record({ word, said: fc.array(said, { minLength: 2, maxLength: 3 }) });
const where: fc.Arbitrary<Where> = fc.record({
  word,
  parts: fc.array(fc.oneof({ weight: 3, arbitrary: said }, group), { minLength: 2, maxLength: 3 }),
});
const selection = fc
  .tuple(fc.subarray(['opened', 'bought']), fc.option(where))
  .map(([events, of]) => {
    const conditions = of && conditionsOf(of);
    return { ...(events.length > 0 && { events }), ...(conditions && { where: conditions }) };
  });
const clauses = fc.array(
  fc.oneof(
    selection.map((did) => ({ did })),
    selection.map((didNot) => ({ didNot, since: '2026-11-01', before: '2026-11-08' })),
  ),
  { minLength: 2, maxLength: 3 },
);

function differs<T>(one: fc.Arbitrary<T>, wordsOf: (thing: T) => string) {
  fc.assert(
    fc.property(one, one, (first, second) => {
      const isSame = JSON.stringify(first) === JSON.stringify(second);
      expect([first, second, wordsOf(first) === wordsOf(second)]).toEqual([first, second, isSame]);
    }),
    { numRuns: 2_000 },
  );
}

test('a sentence of conditions says one thing: different ones never read alike', () => {
  differs(where, (of) => selectionWords({ where: conditionsOf(of)! }));
  differs(selection, selectionWords);
  differs(
    clauses.chain((all) => fc.constantFrom({ all }, { any: all })),
    (rule) => ruleWords(rule, KNOWN),
  );
});

test('a list in a flag’s rule ends before the next condition begins', () => {
  const conditions = conditionsOf({
    word: 'any',
    parts: [
      { field: 'country', operator: 'isOneOf', values: ['DE', 'AT'] },
      { field: 'prop:plan', operator: 'is', values: ['pro'] },
    ],
  });
  expect(selectionWords({ where: conditions! })).toBe(
    'country is one of (Germany, Austria) or plan is pro',
  );
});

test('a rule of a segment says where each clause ends', () => {
  const isPro = { all: [{ field: 'prop:plan', op: 'is' as const, value: 'pro' }] };
  const rule = {
    all: [
      { did: { events: ['opened', 'bought'], where: isPro }, atLeast: 2, withinDays: 7 },
      { didNot: { events: ['closed'] }, since: '2026-11-01', before: '2026-11-08' },
      { paying: true },
    ],
  };
  expect(ruleWords(rule, KNOWN)).toBe(
    'did (opened or bought where plan is pro) at least twice within 7 days and did not closed since 2026-11-01, before 2026-11-08 and is paying for any product',
  );
});
