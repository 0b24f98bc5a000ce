import { describe, expect, test } from 'bun:test';
import { dayOf, daysBefore, isDay } from '../../../src/console/state/days.ts';
import {
  carriedOf,
  fixedQuery,
  parametersOf,
  rangeOf,
  resolveRange,
  throughToday,
} from '../../../src/console/state/ranges.ts';

const TODAY = '2026-11-23';
const daysOf = (parameters: Record<string, string>) => {
  const { from, to } = resolveRange(rangeOf(parameters), TODAY);
  return `${from} ${to}`;
};

describe('the range that an address names', () => {
  test.each([
    [{}, '2026-10-26 2026-11-22'],
    [{ days: '7' }, '2026-11-16 2026-11-22'],
    [{ days: '1' }, '2026-11-22 2026-11-22'],
    [{ days: 'today' }, '2026-11-23 2026-11-23'],
    [{ days: 'yesterday' }, '2026-11-22 2026-11-22'],
    [{ days: 'month' }, '2026-11-01 2026-11-23'],
    [{ from: '2026-11-07', to: '2026-11-13' }, '2026-11-07 2026-11-13'],
  ])('%j is %s', (parameters, expected) => {
    expect(daysOf(parameters)).toBe(expected);
  });

  test('dates go before a preset', () => {
    expect(daysOf({ days: '7', from: '2026-11-01', to: '2026-11-02' })).toBe(
      '2026-11-01 2026-11-02',
    );
  });

  test.each([
    { days: '0' },
    { days: '401' },
    { days: '7.5' },
    { days: 'always' },
    { from: '2026-11-01' },
    { from: '2026-11-13', to: '2026-11-07' },
    { from: '2026-02-30', to: '2026-03-01' },
    { from: '2026-11-1', to: '2026-11-07' },
  ])('%j cannot be and is the default', (parameters) => {
    expect(daysOf(parameters)).toBe('2026-10-26 2026-11-22');
  });

  test('no day of the future and at most 400 days', () => {
    expect(daysOf({ from: '2026-11-20', to: '2026-12-24' })).toBe('2026-11-20 2026-11-23');
    expect(daysOf({ from: '2027-01-01', to: '2027-01-02' })).toBe('2026-11-23 2026-11-23');
    expect(daysOf({ from: '2020-01-01', to: '2026-11-22' })).toBe('2025-10-19 2026-11-22');
  });

  test('is the same after it was written into the address', () => {
    for (const parameters of [{}, { days: '90' }, { days: 'month' }]) {
      const range = rangeOf(parameters);
      expect(rangeOf(parametersOf(range))).toEqual(range);
    }
    expect(parametersOf(rangeOf({ days: '28' })).days).toBeUndefined();
    const dates = { from: '2026-11-07', to: '2026-11-13' };
    expect(parametersOf(rangeOf(dates))).toEqual({ days: undefined, ...dates });
  });
});

test('the range and the comparison go along, filters do not', () => {
  expect(carriedOf({ days: '7', compare: 'previous', platform: 'ios', point: '2026-11-01' })).toBe(
    '?days=7&compare=previous',
  );
  expect(carriedOf({ platform: 'ios' })).toBe('');
});

test('a fixed address has two dates in place of a preset', () => {
  const range = resolveRange(rangeOf({ days: '7' }), TODAY);
  expect(fixedQuery('days=7&breakdown=platform', range)).toBe(
    '?breakdown=platform&from=2026-11-16&to=2026-11-22',
  );
});

test('the window before has as many days', () => {
  expect(daysBefore({ from: '2026-11-07', to: '2026-11-13' })).toEqual({
    from: '2026-10-31',
    to: '2026-11-06',
  });
});

test('an app of one day is shown through today', () => {
  const { from, to } = throughToday(resolveRange(rangeOf({}), TODAY));
  expect([from, to]).toEqual(['2026-10-26', TODAY]);
});

describe('which day it is', () => {
  test.each([
    // Berlin goes to winter time at 01:00 UTC of 25 October 2026, and to summer time on 29 March.
    ['2026-10-24T21:59:59Z', 'Europe/Berlin', '2026-10-24'],
    ['2026-10-24T22:00:00Z', 'Europe/Berlin', '2026-10-25'],
    ['2026-10-25T22:59:59Z', 'Europe/Berlin', '2026-10-25'],
    ['2026-10-25T23:00:00Z', 'Europe/Berlin', '2026-10-26'],
    ['2026-03-28T23:00:00Z', 'Europe/Berlin', '2026-03-29'],
    ['2026-03-29T21:59:59Z', 'Europe/Berlin', '2026-03-29'],
    ['2026-03-29T22:00:00Z', 'Europe/Berlin', '2026-03-30'],
    // Cairo skips the hour after midnight of 24 April 2026.
    ['2026-04-23T21:59:59Z', 'Africa/Cairo', '2026-04-23'],
    ['2026-04-23T22:00:00Z', 'Africa/Cairo', '2026-04-24'],
    ['2026-11-23T05:33:00Z', 'America/Los_Angeles', '2026-11-22'],
    ['2026-11-23T05:33:00Z', 'Pacific/Auckland', '2026-11-23'],
    ['2026-11-23T11:00:00Z', 'Pacific/Auckland', '2026-11-24'],
  ])('%s in %s is %s', (iso, zone, day) => {
    expect(dayOf(Date.parse(iso), zone)).toBe(day);
  });

  test('a preset has as many calendar days where the clock changes', () => {
    const range = resolveRange(
      rangeOf({ days: '7' }),
      dayOf(Date.parse('2026-10-28T12:00:00Z'), 'Europe/Berlin'),
    );
    expect([range.from, range.to]).toEqual(['2026-10-21', '2026-10-27']);
  });

  test('only days of the calendar are days', () => {
    expect(['2028-02-29', '2026-12-31'].every(isDay)).toBe(true);
    expect(['2026-02-29', '2026-13-01', '2026-00-10', '20261101', ''].some(isDay)).toBe(false);
  });
});
