import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { newestFiles } from '../../../src/event-store/catalogue/event-sources.ts';
import { MINUTE_MS } from '../../../src/shared/time.ts';

const HOUR = 60 * MINUTE_MS;

const file = (receivedMs: readonly number[]) => ({
  receivedMs,
  rows: receivedMs.length,
  minReceivedAt: new Date(Math.min(...receivedMs)),
  maxReceivedAt: new Date(Math.max(...receivedMs)),
});

describe('the files with the rows received last', () => {
  test('are all that could hold one of them', () => {
    const files = fc.array(
      fc
        .array(fc.integer({ min: 0, max: 48 }), { minLength: 1, maxLength: 8 })
        .map((hours) => file(hours.map((hour) => hour * HOUR))),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(files, fc.integer({ min: 1, max: 20 }), (all, count) => {
        const last = (some: typeof all) =>
          some
            .flatMap((one) => one.receivedMs)
            .toSorted((a, b) => b - a)
            .slice(0, count);
        expect(last(newestFiles(all, count))).toEqual(last(all));
      }),
      { numRuns: 2_000 },
    );
  });

  test('are few among many, in the order given', () => {
    const days = Array.from({ length: 400 }, (_, day) =>
      file(Array.from({ length: 50 }, (_, n) => day * 24 * HOUR + n * MINUTE_MS)),
    );
    expect(newestFiles(days, 100)).toEqual(days.slice(-2));
    expect(newestFiles(days.toReversed(), 100)).toEqual(days.slice(-2).toReversed());
  });

  test('are all of them when they have too few rows', () => {
    const files = [file([HOUR]), file([2 * HOUR])];
    expect(newestFiles(files, 3)).toEqual(files);
    expect(newestFiles([], 3)).toEqual([]);
  });

  test('allow for a clock that was set back a little', () => {
    const files = [file([HOUR - 30_000]), file([HOUR])];
    expect(newestFiles(files, 1)).toEqual(files);
    expect(newestFiles([file([HOUR - 2 * MINUTE_MS]), file([HOUR])], 1)).toHaveLength(1);
  });
});
