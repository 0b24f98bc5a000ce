import { expect, test } from 'bun:test';
import { amountRange, dayOf, numberOf } from '../../../src/console/parts/axis.ts';

test('the axis of amounts has every point and 0, also where a day lost money', () => {
  for (const [low, high] of [
    [0, 200],
    [50, 200],
    [-854, 18_686],
    [-10, -4],
    [0, 0],
  ] as const) {
    const [bottom, top] = amountRange(low, high);
    expect(bottom).toBeLessThanOrEqual(Math.min(0, low));
    expect(top).toBeGreaterThanOrEqual(Math.max(0, high));
    expect(top).toBeGreaterThan(bottom);
  }
  expect(amountRange(50, 200)[0]).toBe(0);
  expect(amountRange(null, null)).toEqual(amountRange(0, 0));
});

test('a day of the axis is a number and comes back', () => {
  for (const day of ['2026-01-01', '2026-03-29', '2026-11-01', '2028-02-29']) {
    expect(dayOf(numberOf(day))).toBe(day);
  }
  expect(numberOf('2026-03-30') - numberOf('2026-03-29')).toBe(1);
});
