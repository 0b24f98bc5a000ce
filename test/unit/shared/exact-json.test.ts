import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseExact, toExact } from '../../../src/shared/exact-json.ts';

const digits = fc
  .tuple(fc.constantFrom('', '-'), fc.bigInt({ min: 1n, max: 10n ** 40n }))
  .map(([sign, number]) => `${sign}${number}`);

const isHeld = (text: string) => JSON.stringify(JSON.parse(text)) === text;

test('an integer that JavaScript rounds is its digits, wherever it is; all else is JSON', () => {
  const value = fc.oneof(
    digits,
    fc.jsonValue().map((one) => JSON.stringify(one)),
  );
  const place = fc.constantFrom(
    (text: string) => `{"a":${text}}`,
    (text: string) => `[${text}]`,
    (text: string) => `[1, ${text} ]`,
    (text: string) => `{"b":{"a":\n${text}\n}}`,
  );
  fc.assert(
    fc.property(value, place, (text, at) => {
      const isLong = /^-?\d+$/.test(text) && !isHeld(text);
      expect(parseExact(at(text))).toEqual(JSON.parse(at(isLong ? `"${text}"` : text)));
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['9007199254740992', 9_007_199_254_740_992],
  ['9007199254740993', '9007199254740993'],
  ['-9007199254740993', '-9007199254740993'],
  ['1000000000000000000', 1e18],
  ['40711353552075770', 40_711_353_552_075_770],
  ['1e400', Number.POSITIVE_INFINITY],
  ['12345678901234567.5', 12_345_678_901_234_568],
  ['0.12345678901234568', 0.12345678901234568],
  ['7', 7],
  ['9'.repeat(400), '9'.repeat(400)],
])('%s is %p', (text, expected) => {
  expect(toExact(text)).toBe(expected);
  expect(parseExact(`[${text},9007199254740993]`)).toEqual([expected, '9007199254740993']);
});

test('long integers of one body cost no more than its bytes', () => {
  const long = '9'.repeat(1_000_000);
  const startMs = performance.now();
  expect(parseExact(`[${long}]`)).toEqual([long]);
  expect(performance.now() - startMs).toBeLessThan(2_000);
});
