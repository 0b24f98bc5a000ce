import { describe, expect, test } from 'bun:test';
import { dayAfterKey, weeksOf } from '../../../src/console/parts/range/calendar-days.ts';
import { addMonths } from '../../../src/console/state/days.ts';

describe('a month of the calendar', () => {
  test('has weeks from Monday, and none of the days of its neighbours', () => {
    const weeks = weeksOf('2026-11');
    expect(weeks.length).toBe(6);
    expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01']);
    expect(weeks[5]).toEqual(['2026-11-30', null, null, null, null, null, null]);
    expect(weeks.flat().filter((day) => day !== null).length).toBe(30);
  });

  test('of four weeks has four rows', () => {
    expect(weeksOf('2027-02').map(([monday]) => monday)).toEqual([
      '2027-02-01',
      '2027-02-08',
      '2027-02-15',
      '2027-02-22',
    ]);
  });

  test('is followed by the first of the next year', () => {
    expect(addMonths('2026-12', 1)).toBe('2027-01-01');
    expect(addMonths('2026-01', -1)).toBe('2025-12-01');
    expect(addMonths('2026-11-30', -12)).toBe('2025-11-01');
    expect(addMonths('2026-11-30', 0)).toBe('2026-11-01');
  });
});

describe('the day that a key leads to', () => {
  test.each([
    ['ArrowLeft', '2026-10-31', '2026-11-01'],
    ['ArrowRight', '2026-11-01', '2026-10-31'],
    ['ArrowUp', '2026-10-28', '2026-11-04'],
    ['ArrowDown', '2027-01-04', '2026-12-28'],
    ['Home', '2026-11-16', '2026-11-18'],
    ['Home', '2026-11-16', '2026-11-22'],
    ['End', '2026-11-22', '2026-11-16'],
    ['PageUp', '2026-10-18', '2026-11-18'],
    ['PageUp', '2026-02-28', '2026-03-31'],
    ['PageDown', '2024-02-29', '2024-01-31'],
  ])('%s is %s from %s', (key, expected, from) => {
    expect(dayAfterKey(from, key, false)).toBe(expected);
  });

  test('with Shift is a year away', () => {
    expect(dayAfterKey('2024-02-29', 'PageUp', true)).toBe('2023-02-28');
    expect(dayAfterKey('2026-11-18', 'PageDown', true)).toBe('2027-11-18');
  });

  test('is none for other keys', () => {
    expect(dayAfterKey('2026-11-18', 'Enter', false)).toBeUndefined();
  });
});
