import { describe, expect, test } from 'bun:test';
import type { FunnelParameters } from '../../../src/modules/questions/funnel/question.ts';
import {
  previousWindow,
  resolveWindow,
  trendIntervals,
} from '../../../src/modules/questions/funnel/window.ts';
import { AppError } from '../../../src/shared/errors.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const iso = (ms: number) => new Date(ms).toISOString();

function resolve(selection: FunnelParameters) {
  const { fromMs, toMs, startBeforeMs, days } = resolveWindow(
    selection,
    selection.timezone ?? 'UTC',
    NOW,
  );
  return { from: iso(fromMs), to: iso(toMs), before: iso(startBeforeMs), days };
}

describe('the window of a report', () => {
  test('is the last thirty days, and takes in clocks that are ten minutes ahead', () => {
    expect(resolve({})).toEqual({
      from: '2026-10-22T12:00:00.000Z',
      to: '2026-11-21T12:00:00.000Z',
      before: '2026-11-21T12:10:00.000Z',
      days: 30,
    });
    expect(resolve({ days: 1 }).from).toBe('2026-11-20T12:00:00.000Z');
  });

  test('of dates includes both', () => {
    expect(resolve({ from: '2026-11-01', to: '2026-11-01' })).toEqual({
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-11-02T00:00:00.000Z',
      before: '2026-11-02T00:00:00.000Z',
      days: 1,
    });
  });

  test('of dates in a place follows its clocks, also on the days they change', () => {
    const timezone = 'America/New_York';
    expect(resolve({ from: '2026-11-01', to: '2026-11-01', timezone })).toMatchObject({
      from: '2026-11-01T04:00:00.000Z',
      to: '2026-11-02T05:00:00.000Z',
      days: 1,
    });
    // In Santiago the first hour of this day does not exist.
    const skipped = { from: '2026-09-06', to: '2026-09-06', timezone: 'America/Santiago' };
    expect(resolve(skipped)).toMatchObject({ to: '2026-09-07T03:00:00.000Z', days: 1 });
  });

  test('of date-times excludes the end', () => {
    const from = '2026-11-01T06:00:00+02:00';
    expect(resolve({ from, to: '2026-11-02T16:00:00Z' })).toEqual({
      from: '2026-11-01T04:00:00.000Z',
      to: '2026-11-02T16:00:00.000Z',
      before: '2026-11-02T16:00:00.000Z',
      days: 1.5,
    });
  });

  test('may be 400 days long', () => {
    expect(resolve({ from: '2025-10-18', to: '2026-11-21' }).days).toBe(400);
    expect(() => resolve({ from: '2025-10-17', to: '2026-11-21' })).toThrow(AppError);
  });

  test.each<[string, FunnelParameters]>([
    ['days', { days: 3, from: '2026-11-01', to: '2026-11-02' }],
    ['from', { to: '2026-11-02' }],
    ['to', { from: '2026-11-02' }],
    ['to', { from: '2026-11-02', to: '2026-11-01' }],
    ['from', { from: 'yesterday', to: '2026-11-01' }],
    ['to', { from: '2026-11-01', to: '2026-11-31' }],
  ])('names %s when it is %j', (field, selection) => {
    try {
      resolve(selection);
      throw new Error('It was accepted.');
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(AppError);
      expect((thrown as AppError).hint).toStartWith(`${field}: `);
    }
  });
});

describe('the intervals of a trend', () => {
  const starts = (selection: FunnelParameters, interval: 'day' | 'week') =>
    intervals(selection, interval).map(({ startMs }) => iso(startMs));
  const intervals = (selection: FunnelParameters, interval: 'day' | 'week') =>
    trendIntervals(
      resolveWindow(selection, selection.timezone ?? 'UTC', NOW),
      interval,
      NOW.getTime(),
    );
  const partial = (selection: FunnelParameters, interval: 'day' | 'week') =>
    intervals(selection, interval).map(({ isPartial }) => isPartial);

  test('begin at local midnight, 23 and 25 hours apart where clocks change', () => {
    const timezone = 'Europe/Berlin';
    expect(starts({ from: '2026-10-24', to: '2026-10-26', timezone }, 'day')).toEqual([
      '2026-10-23T22:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ]);
  });

  test('of weeks begin on Monday', () => {
    expect(starts({ from: '2026-11-04', to: '2026-11-17' }, 'week')).toEqual([
      '2026-11-02T00:00:00.000Z',
      '2026-11-09T00:00:00.000Z',
      '2026-11-16T00:00:00.000Z',
    ]);
  });

  test('are partial where the window cuts them', () => {
    expect(partial({ from: '2026-11-04', to: '2026-11-17' }, 'week')).toEqual([true, false, true]);
    expect(partial({ from: '2026-11-02', to: '2026-11-15' }, 'week')).toEqual([false, false]);
    expect(partial({ from: '2026-11-02', to: '2026-11-03' }, 'day')).toEqual([false, false]);
    const from = '2026-11-02T00:00:01Z';
    expect(partial({ from, to: '2026-11-04T00:00:00Z' }, 'day')).toEqual([true, false]);
    expect(partial({ from, to: '2026-11-03T23:59:59Z' }, 'day')).toEqual([true, true]);
  });

  test('are partial until they are over', () => {
    const today = iso(NOW.getTime()).slice(0, 10);
    expect(partial({ from: today, to: today }, 'day')).toEqual([true]);
    expect(partial({ days: 2 }, 'day')).toEqual([true, false, true]);
  });

  test('cover a window that begins within a day', () => {
    expect(starts({ days: 1 }, 'day')).toEqual([
      '2026-11-20T00:00:00.000Z',
      '2026-11-21T00:00:00.000Z',
    ]);
  });
});

describe('the window before', () => {
  const before = (selection: FunnelParameters) => {
    const window = previousWindow(
      resolveWindow(selection, selection.timezone ?? 'UTC', NOW),
      NOW.getTime(),
    );
    return [iso(window.fromMs), iso(window.toMs), iso(window.observedBeforeMs)];
  };

  test('of the last days is as long, and was over when this one began', () => {
    expect(before({ days: 7 })).toEqual([
      '2026-11-07T12:00:00.000Z',
      '2026-11-14T12:00:00.000Z',
      '2026-11-14T12:00:00.000Z',
    ]);
  });

  test('of a past window is seen as long after its end', () => {
    expect(before({ from: '2026-11-11', to: '2026-11-12' })).toEqual([
      '2026-11-09T00:00:00.000Z',
      '2026-11-11T00:00:00.000Z',
      '2026-11-19T12:00:00.000Z',
    ]);
    expect(before({ from: '2026-11-11T06:00:00Z', to: '2026-11-11T18:00:00Z' })).toEqual([
      '2026-11-10T18:00:00.000Z',
      '2026-11-11T06:00:00.000Z',
      '2026-11-21T00:00:00.000Z',
    ]);
  });

  test('of a day that is not over ends at the same time of day, and of days to come nowhere', () => {
    expect(before({ from: '2026-11-21', to: '2026-11-21' })).toEqual([
      '2026-11-20T00:00:00.000Z',
      '2026-11-21T00:00:00.000Z',
      '2026-11-20T12:00:00.000Z',
    ]);
    expect(before({ from: '2027-11-21', to: '2027-11-21' })[2]).toBe('2027-11-20T00:00:00.000Z');
  });

  test('of dates has as many days of the zone, also where the clocks change', () => {
    expect(
      before({ from: '2026-11-01', to: '2026-11-02', timezone: 'America/New_York' }).slice(0, 2),
    ).toEqual(['2026-10-30T04:00:00.000Z', '2026-11-01T04:00:00.000Z']);
    expect(
      before({ from: '2026-11-02', to: '2026-11-03', timezone: 'America/New_York' }).slice(0, 2),
    ).toEqual(['2026-10-31T04:00:00.000Z', '2026-11-02T05:00:00.000Z']);
  });
});
