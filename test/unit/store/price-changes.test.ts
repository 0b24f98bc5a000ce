import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  changesOfSales,
  changesOfSubscribers,
  type PriceDay,
} from '../../../src/modules/sales/prices/changes.ts';
import { addDays } from '../../../src/shared/pacific.ts';

const day = (index: number): string => addDays('2026-03-01', index);
const days = (...prices: Record<string, number>[]): PriceDay[] =>
  prices.map((counts, index) => ({ day: day(index), counts: new Map(Object.entries(counts)) }));

describe('a price that things are sold at', () => {
  test('changes on the first day of the new one, also where both were sold on it', () => {
    expect(changesOfSales(days({ p5: 3 }, { p5: 9, p7: 1 }, { p7: 2 }, { p5: 1 }))).toEqual([
      { day: day(1), from: 'p5', to: 'p7' },
      { day: day(3), from: 'p7', to: 'p5' },
    ]);
  });

  test('is still the old one while it is sold, whatever a discount sells beside it', () => {
    expect(changesOfSales(days({ p5: 3 }, { p5: 1, p2: 9 }, { p5: 1 }, { p2: 1, p5: 1 }))).toEqual(
      [],
    );
  });

  test('begins with the run of days that leads to the change, not with an earlier discount', () => {
    const found = changesOfSales(days({ p5: 3 }, { p5: 1, p7: 1 }, { p5: 1 }, { p7: 1 }));
    expect(found).toEqual([{ day: day(3), from: 'p5', to: 'p7' }]);
  });

  test('is that of most where the first days have several', () => {
    expect(changesOfSales(days({ p5: 1, p7: 2 }, { p7: 1 }, { p5: 1 }))).toEqual([
      { day: day(2), from: 'p7', to: 'p5' },
    ]);
    expect(changesOfSales([])).toEqual([]);
  });

  test('every change starts where the one before ended, in the order of days', () => {
    const some = fc.dictionary(fc.constantFrom('p1', 'p2', 'p3'), fc.integer({ min: 1, max: 9 }), {
      minKeys: 1,
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 30 }), (prices) => {
        const all = days(...prices);
        const found = changesOfSales(all);
        for (const [index, change] of found.entries()) {
          expect(change.from).not.toBe(change.to);
          const before = found[index - 1];
          if (before) expect(change.from).toBe(before.to);
          expect(all.find((one) => one.day === change.day)!.counts.has(change.to)).toBe(true);
        }
        const last = found.at(-1);
        if (last) expect(all.at(-1)!.counts.has(last.to)).toBe(true);
      }),
    );
  });
});

describe('a price that subscribers have', () => {
  test('is new on the first day on which somebody has it, though most keep the old one', () => {
    const found = changesOfSubscribers(days({ p5: 90 }, { p5: 90, p7: 1 }, { p5: 80, p7: 12 }));
    expect(found).toEqual([{ day: day(1), from: 'p5', to: 'p7' }]);
  });

  test('is no change at the start, nor when it comes back within five weeks', () => {
    const gap = [...Array(35)].map(() => ({ p5: 1 }));
    expect(changesOfSubscribers(days({ p5: 1, p7: 1 }, ...gap.slice(1), { p5: 1, p7: 1 }))).toEqual(
      [],
    );
    expect(changesOfSubscribers(days({ p5: 1, p7: 1 }, ...gap, { p5: 1, p7: 1 }))).toEqual([
      { day: day(36), from: 'p5', to: 'p7' },
    ]);
  });

  test('is compared with that of most on the day before', () => {
    const found = changesOfSubscribers(days({ p5: 1, p7: 9 }, { p5: 9, p7: 1 }, { p9: 1 }));
    expect(found).toEqual([{ day: day(2), from: 'p5', to: 'p9' }]);
  });
});
