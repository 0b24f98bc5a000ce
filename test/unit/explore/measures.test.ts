import { expect, test } from 'bun:test';
import type { Measured } from '../../../src/query/measures/model.ts';
import { measuredFigures } from '../../../src/modules/questions/measures/present.ts';
import { toLayout } from '../../../src/modules/questions/series/present.ts';

const HOUR = 3_600_000;
/** Two finished intervals, one that is not over, and two before for comparison. */
const BUCKETS = {
  boundariesMs: [0, 1, 2, 3, 4, 5].map((hour) => hour * HOUR),
  ...{ first: 2, finished: 2, count: 3 },
};
const of = (value: number | null, people: number): Measured => ({ value, people, count: people });
const MEAN = { of: 'property', property: 'price', statistic: 'mean', per: 'event' } as const;

test('statistics and ratios of fewer than fifty people are withheld, counts are not', () => {
  const measured = [of(7, 60), of(5, 55), of(4, 49), of(3, 50), of(2, 50), of(1, 49), of(9, 80)];
  const layout = toLayout(BUCKETS, true, false);
  const { totals, points } = measuredFigures({ measured }, MEAN, layout);
  expect(totals).toEqual({ ...of(7, 60), previousValue: 5, change: 7 / 5 - 1 });
  expect(points.map(({ from: _, people: __, count: ___, ...shown }) => shown)).toEqual([
    { value: 2, previousValue: null },
    { value: null, previousValue: 3 },
    { value: 9, partial: true },
  ]);
  const counted = measuredFigures({ measured }, { of: 'sessions' }, layout);
  expect(counted.points.map(({ value }) => value)).toEqual([2, 1, 9]);
});

test('a sum is a total as counts are: always shown, and 0 over nobody', () => {
  const measured = [of(7, 60), of(5, 55), of(4, 49), of(3, 50), of(2, 1), of(null, 0), of(9, 80)];
  const layout = toLayout(BUCKETS, true, false);
  const { points } = measuredFigures({ measured }, { ...MEAN, statistic: 'sum' }, layout);
  expect(points.map(({ value }) => value)).toEqual([2, 0, 9]);
});

test.each([
  ['nobody was before', of(7, 60), of(null, 0)],
  ['fewer than fifty were before', of(7, 60), of(5, 49)],
  ['the value before was not above zero', of(7, 60), of(-5, 60)],
  ['fewer than fifty are now', of(7, 49), of(5, 60)],
])('there is no change where %s', (_, now, before) => {
  const measured = [now, before, ...Array.from({ length: 5 }, () => of(null, 0))];
  const layout = toLayout(BUCKETS, true, false);
  expect(measuredFigures({ measured }, MEAN, layout).totals.change).toBeNull();
  const alone = toLayout({ ...BUCKETS, first: 0, count: 3 }, false, false);
  expect(measuredFigures({ measured }, MEAN, alone).totals).toMatchObject({
    ...{ previousValue: null, change: null },
  });
});
