import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { roundBounds } from '../../../src/query/selection/number-ranges.ts';
import { isSelected } from '../../support/asked-reference.ts';
import { plainBounds, plainBrokenDown, rememberFirsts } from '../../support/breakdown-reference.ts';
import { APP, countOver, ORG, TestDuck } from '../../support/event-source.ts';
import { randomFacts } from '../../support/random-conditions.ts';
import { randomDimension } from '../../support/random-dimensions.ts';
import { byDuck, withoutProjections } from '../../support/readers.ts';
import { isFullRun } from '../../support/random.ts';
import { stitched, stitchedCases } from '../../support/stitched-events.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

test('series by one dimension or two equal plain loops, from every reader', async () => {
  await fc.assert(
    fc.asyncProperty(
      stitchedCases(fc.integer({ min: 0, max: 1_300 }), 120, randomFacts),
      fc.array(randomDimension, { minLength: 1, maxLength: 2 }),
      fc.constantFrom<string[] | null>(null, ['opened'], ['bought', 'closed']),
      async (made, [breakdown, crossed], names) => {
        const { source, plain } = await stitched(duck, { ...made, erased: [] }, { splitAt: 650 });
        const asked = {
          boundariesUs: [100, 400, 600, 601, 1_200],
          ranges: [[0, 4] as [number, number], [1, 2] as [number, number]],
          valuesFrom: 1,
        };
        const question = {
          ...{ orgId: ORG, appId: APP, ...asked, filters: {}, names },
          ...{ breakdown: breakdown!, ...(crossed && { crossed }) },
        };
        rememberFirsts(plain);
        const meant = plain.filter(({ row }) => isSelected(row, names ? { events: names } : {}));
        const dimensions = [breakdown!, ...(crossed ? [crossed] : [])];
        const wanted = plainBrokenDown(asked, dimensions, meant);
        for (const of of [source, withoutProjections(source), byDuck(source)]) {
          const { dataThroughMs: _, ...answer } = await duck.query(of, (connection, whole) =>
            countOver(connection, whole, 'series', question),
          );
          expect(answer).toEqual(wanted);
        }
      },
    ),
    { numRuns: isFullRun ? 1_000 : 20 },
  );
});

test('bounds of ranges are the roundest numbers near the tenths', () => {
  const ages = Array.from({ length: 100 }, (_, n) => 18 + (n % 60));
  expect(plainBounds(ages)).toEqual([20, 25, 30, 35, 40, 45, 50, 60, 70]);
  const number = fc.oneof(
    fc.integer({ min: -100, max: 10_000 }),
    fc.integer({ min: 0, max: 5 }),
    fc.integer({ min: 1, max: 99_999 }).map((cents) => cents / 100),
  );
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 80 }), (numbers) => {
      const sorted = numbers.toSorted((a, b) => a - b);
      const tenths = Array.from(
        { length: 9 },
        (_, n) => sorted[Math.max(0, Math.ceil(((n + 1) * sorted.length) / 10) - 1)]!,
      );
      const range = { least: sorted[0]!, most: sorted.at(-1)! };
      expect(roundBounds(tenths, range)).toEqual(plainBounds(numbers));
    }),
    { numRuns: isFullRun ? 5_000 : 100 },
  );
});
