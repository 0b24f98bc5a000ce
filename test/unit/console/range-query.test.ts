import { describe, expect, test } from 'bun:test';
import {
  backQuery,
  funnelQuery,
  marksQuery,
  purchasesQuery,
  retentionIntervals,
  salesQuery,
  seriesIntervals,
  seriesQuery,
} from '../../../src/console/state/range-query.ts';
import { rangeOf, resolveRange } from '../../../src/console/state/ranges.ts';

const TODAY = '2026-11-23';
/** 21:33 of the day before in the store's zone. */
const NOW = Date.parse('2026-11-23T05:33:00Z');
const of = (parameters: Record<string, string>, today = TODAY) =>
  resolveRange(rangeOf(parameters), today);

test('a series takes days, so that today so far stands on top', () => {
  expect(seriesQuery(of({}))).toEqual({ days: 28 });
  expect(seriesQuery(of({ days: 'month' }))).toEqual({ from: '2026-11-01', to: TODAY });
  expect(seriesQuery(of({ days: 'yesterday' }))).toEqual({ from: '2026-11-22', to: '2026-11-22' });
});

test('a funnel takes the same whole days, both in it', () => {
  expect(funnelQuery(of({}))).toEqual({ from: '2026-10-26', to: '2026-11-22' });
});

test('marks are those of the days that a series draws', () => {
  expect(marksQuery(of({ days: '7' }))).toEqual({ from: '2026-11-16', to: TODAY });
  expect(marksQuery(of({ from: '2026-11-07', to: '2026-11-13' }))).toEqual({
    from: '2026-11-07',
    to: '2026-11-13',
  });
});

describe('sales end with the last Pacific day that is over', () => {
  test.each([
    [{}, TODAY, NOW, '2026-10-26 2026-11-21'],
    [{ from: '2026-11-07', to: '2026-11-13' }, TODAY, NOW, '2026-11-07 2026-11-13'],
    // Of a day that has not come there nothing is known yet.
    [{ days: 'today' }, TODAY, NOW, '2026-11-23 2026-11-23'],
    [{ days: '7' }, '2026-11-24', Date.parse('2026-11-24T08:00:00Z'), '2026-11-17 2026-11-23'],
    [{ days: '7' }, '2026-11-24', Date.parse('2026-11-24T07:59:59Z'), '2026-11-17 2026-11-22'],
    // Los Angeles goes to winter time on 1 November 2026: its day ends an hour later in UTC.
    [{ days: '7' }, '2026-11-01', Date.parse('2026-11-01T06:59:59Z'), '2026-10-25 2026-10-30'],
    [{ days: '7' }, '2026-11-01', Date.parse('2026-11-01T07:00:00Z'), '2026-10-25 2026-10-31'],
    [{ days: '7' }, '2026-11-02', Date.parse('2026-11-02T07:59:59Z'), '2026-10-26 2026-10-31'],
    [{ days: '7' }, '2026-11-02', Date.parse('2026-11-02T08:00:00Z'), '2026-10-26 2026-11-01'],
  ] as const)('%j on %s', (parameters, today, now, expected) => {
    const { from, to } = salesQuery(of(parameters, today), now);
    expect(`${from} ${to}`).toBe(expected);
  });
});

test('subscribers have no UTC day of the future', () => {
  expect(purchasesQuery(of({}), NOW)).toEqual({ from: '2026-10-26', to: '2026-11-22' });
  const early = Date.parse('2026-11-23T11:30:00Z');
  // It is tomorrow in Auckland.
  expect(purchasesQuery(of({ days: 'today' }, '2026-11-24'), early)).toEqual({
    from: '2026-11-23',
    to: '2026-11-23',
  });
});

test('routes that take only days look back to the first day', () => {
  expect(backQuery(of({}))).toEqual({ days: 29 });
  expect(backQuery(of({ from: '2025-01-01', to: '2025-01-31' }))).toEqual({ days: 400 });
});

test('retention offers the intervals whose cohorts it takes', () => {
  expect(retentionIntervals(of({}))).toEqual(['day', 'week', 'month']);
  expect(retentionIntervals(of({ days: '61' }))).toEqual(['day', 'week', 'month']);
  expect(retentionIntervals(of({ days: '62' }))).toEqual(['week', 'month']);
  expect(retentionIntervals(of({ days: '400' }))).toEqual(['week', 'month']);
  expect(retentionIntervals(of({ from: '2025-01-01', to: '2025-06-30' }))).toEqual(['month']);
});

test('hours are for short ranges', () => {
  expect(seriesIntervals(of({ days: 'today' }))).toEqual(['hour', 'day']);
  expect(seriesIntervals(of({ days: '7' }))).toEqual(['hour', 'day', 'week']);
  expect(seriesIntervals(of({}))).toEqual(['day', 'week', 'month']);
});
