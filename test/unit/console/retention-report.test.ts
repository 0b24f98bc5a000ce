import { expect, test } from 'bun:test';
import { knownPeriods, sizeOf } from '../../../src/console/pages/retention/report.ts';

const came = (returned: number) => ({ returned, rate: 0.5, rateLow: 0.4, rateHigh: 0.6 });
const cohort = (people: number, periods: (ReturnType<typeof came> | null)[]) => ({
  from: '2026-11-02T00:00:00.000Z',
  people,
  verdict: 'ready' as const,
  periods,
});

const cohorts = [cohort(60, [came(30), came(20), null]), cohort(80, [came(40), null, null])];

test('a triangle has as many columns as some cohort has finished', () => {
  expect(knownPeriods({ cohorts, mean: [came(70), came(20), null] })).toBe(2);
});

test('the mean of a column is of those who finished it', () => {
  expect([0, 1, 2].map((index) => sizeOf({ cohorts }, index))).toEqual([140, 60, 0]);
});
