import { describe, expect, test } from 'bun:test';
import { addDays } from '../../../src/console/state/days.ts';
import { newPeopleDays } from '../../../src/console/state/new-people.ts';
import {
  changeSince,
  finishedValues,
  latestDay,
  peopleDays,
  peopleOfAll,
  peopleQuery,
} from '../../../src/console/state/people-days.ts';
import { resolveRange } from '../../../src/console/state/ranges.ts';

const TODAY = '2026-11-23';
const RANGE = resolveRange({ kind: 'preset', preset: 3 }, TODAY);

/** A point a day from a day on; the last one is of today. */
function seriesFrom(day: string, people: readonly number[], previousPeople = 0) {
  return {
    timezone: 'UTC',
    totals: { previousPeople },
    points: people.map((count, at) => ({
      from: `${addDays(day, at)}T00:00:00.000Z`,
      people: count,
      ...(at === people.length - 1 && { partial: true as const }),
    })),
  };
}

describe('people by day', () => {
  test('are asked for with the week before the range and today on top', () => {
    expect(peopleQuery(RANGE)).toEqual({ from: '2026-11-13', to: TODAY, compare: true });
  });

  test('of two dates are asked for without today', () => {
    const range = resolveRange({ kind: 'dates', from: '2026-11-07', to: '2026-11-13' }, TODAY);
    expect(peopleQuery(range)).toEqual({ from: '2026-10-31', to: '2026-11-13', compare: true });
  });

  test('of the longest range stay within what a route takes', () => {
    const range = resolveRange({ kind: 'preset', preset: 400 }, TODAY);
    expect(peopleQuery(range)).toMatchObject({ from: '2025-10-20', to: TODAY });
  });

  test('stand beside those of the same weekday', () => {
    const days = peopleDays(seriesFrom('2026-11-13', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 4], 9), RANGE);
    expect(days.days).toEqual(['2026-11-20', '2026-11-21', '2026-11-22', TODAY]);
    expect(days.values).toEqual([8, 9, 10, 4]);
    expect(days.weekEarlier).toEqual([1, 2, 3, 4]);
    expect(finishedValues(days)).toEqual([8, 9, 10]);
    const latest = latestDay(days);
    expect(latest).toMatchObject({ day: '2026-11-22', value: 10, before: 3, isPartial: false });
    expect(latest && changeSince(latest)).toBeCloseTo(7 / 3);
  });

  test('are unknown, not none, before the first event', () => {
    const days = peopleDays(seriesFrom('2026-11-13', [0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 2]), RANGE);
    expect(days.values).toEqual([null, 5, 0, 2]);
    expect(days.firstDay).toBe('2026-11-21');
    expect(latestDay(days)).toMatchObject({ value: 0, before: null });
  });

  test('are none on days without anybody of an app that was there before', () => {
    const days = peopleDays(seriesFrom('2026-11-13', [0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 2], 1), RANGE);
    expect(days.values).toEqual([0, 5, 0, 2]);
    expect(days.firstDay).toBeNull();
  });

  test('of the first day are those of today so far', () => {
    const days = peopleDays(seriesFrom('2026-11-13', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]), RANGE);
    expect(latestDay(days)).toMatchObject({ day: TODAY, value: 7, isPartial: true, before: null });
  });

  test('of an app without events are nobody at all', () => {
    const days = peopleDays(
      seriesFrom(
        '2026-11-13',
        Array.from({ length: 11 }, () => 0),
      ),
      RANGE,
    );
    expect(latestDay(days)).toBeUndefined();
  });

  test('of several apps are added up by their days', () => {
    const one = peopleDays(seriesFrom('2026-11-13', [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1], 1), RANGE);
    const other = peopleDays(seriesFrom('2026-11-13', [0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 5]), RANGE);
    const all = peopleOfAll([one, other]);
    expect(all.values).toEqual([2, 2, 7, 6]);
    expect(all.weekEarlier).toEqual([1, 1, 1, 1]);
    expect(all.firstDay).toBeNull();
    expect(peopleOfAll([other]).firstDay).toBe('2026-11-22');
  });
});

describe('new people', () => {
  const people = peopleDays(seriesFrom('2026-11-13', [0, 0, 0, 0, 0, 0, 0, 0, 5, 4, 2]), RANGE);
  const cohorts = [
    { from: '2026-11-21T00:00:00.000Z', people: 5 },
    { from: '2026-11-23T00:00:00.000Z', people: 1 },
  ];

  test('are nobody on a day without a cohort, and unknown before the first event', () => {
    const window = { from: '2026-11-13T00:00:00.000Z' };
    const days = newPeopleDays({ timezone: 'UTC', window, cohorts }, people);
    expect(days.values).toEqual([null, 5, 0, 1]);
    expect(latestDay(days)).toMatchObject({ day: '2026-11-22', value: 0 });
  });

  test('are unknown on days that no cohort was asked for', () => {
    const window = { from: '2026-11-22T00:00:00.000Z' };
    const days = newPeopleDays({ timezone: 'UTC', window, cohorts }, people);
    expect(days.values).toEqual([null, null, 0, 1]);
  });
});
