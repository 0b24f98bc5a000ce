import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { exactQuantile } from '../../../src/query/measures/quantiles.ts';

/** Far more than are placed without a sample; few different ones, and in order, too. */
const values = fc
  .record({
    numbers: fc.array(fc.integer({ min: -10_000, max: 10_000 }), {
      ...{ minLength: 1, maxLength: 6_000 },
      size: 'max',
    }),
    different: fc.constantFrom(1, 3, 20_001),
    order: fc.constantFrom('as sent', 'ascending', 'descending'),
  })
  .map(({ numbers, different, order }) => {
    const some = Float64Array.from(numbers, (number) => (number % different) / 4);
    if (order === 'as sent') return some;
    return order === 'ascending' ? some.sort() : some.sort().reverse();
  });

test('a quantile lies between the two values nearest to its place', () => {
  fc.assert(
    fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (sent, share) => {
      const sorted = [...sent].toSorted((a, b) => a - b);
      const place = share * (sorted.length - 1);
      const low = sorted[Math.floor(place)]!;
      const high = sorted[Math.ceil(place)]!;
      const distance = place - Math.floor(place);
      expect(exactQuantile(sent, share)).toBeCloseTo(low * (1 - distance) + high * distance, 9);
    }),
    { numRuns: 300 },
  );
  expect(exactQuantile(new Float64Array(), 0.9)).toBeNull();
});
