import { describe, expect, test } from 'bun:test';
import { freshness, type LastRun } from '../../../src/modules/sales/analytics/freshness.ts';
import type { DayState } from '../../../src/modules/sales/days/day-state.ts';

const NOW = new Date('2026-03-10T15:30:00Z');
const fine: LastRun = { checkedAt: NOW, lastRunAt: NOW, lastError: null, failed: false };
const failed: LastRun = { ...fine, failed: true, lastError: 'The store answered 503.' };
const days = (states: Record<string, DayState>) => new Map(Object.entries(states));

describe('the state of yesterday', () => {
  test.each([
    ['ready', 'reported', fine],
    ['ready', 'reported', failed],
    ['no_sales', 'zero', fine],
    ['no_sales', 'inferred_zero', failed],
    ['awaiting', 'pending', fine],
    ['error', 'pending', failed],
    ['error', 'error', failed],
    ['awaiting', undefined, fine],
  ] as const)('%s when it is %p', (state, yesterday, run) => {
    const known = days(yesterday ? { '2026-03-09': yesterday } : { '2026-03-08': 'reported' });
    expect(freshness(NOW, known, run).state).toBe(state);
  });

  test('unchecked before any run', () => {
    const never = { checkedAt: null, lastRunAt: null, lastError: null, failed: false };
    expect(freshness(NOW, new Map(), never)).toMatchObject({
      state: 'unchecked',
      checkedAt: null,
      lastRunAt: null,
      coveredFrom: null,
      coveredThrough: null,
      daysBehind: null,
      gaps: 0,
    });
  });
});

describe('coverage', () => {
  test('gaps are days within the range that hold neither rows nor a zero', () => {
    const known = days({
      '2026-03-01': 'zero',
      '2026-03-02': 'pending',
      '2026-03-03': 'reported',
      '2026-03-04': 'error',
      '2026-03-05': 'inferred_zero',
      '2026-02-27': 'expired',
      '2026-03-09': 'pending',
    });
    expect(freshness(NOW, known, fine)).toMatchObject({
      coveredFrom: '2026-03-01',
      coveredThrough: '2026-03-05',
      gaps: 2,
      daysBehind: 4,
    });
  });

  test('a covered yesterday is no day behind', () => {
    expect(freshness(NOW, days({ '2026-03-09': 'reported' }), fine).daysBehind).toBe(0);
  });
});

describe('when to expect reports', () => {
  test.each([
    ['2026-03-10T15:30:00Z', '2026-03-10', '2026-03-10T08:00:00-07:00'],
    ['2026-03-08T07:59:00Z', '2026-03-07', '2026-03-07T08:00:00-08:00'],
    ['2026-03-08T08:00:00Z', '2026-03-08', '2026-03-08T08:00:00-07:00'],
    ['2026-11-01T15:30:00Z', '2026-11-01', '2026-11-01T08:00:00-08:00'],
  ])('at %s it is the %s and the report is due by %s', (now, today, expected) => {
    expect(freshness(new Date(now), new Map(), fine)).toMatchObject({
      today,
      publishExpectedBy: expected,
    });
  });

  test("today's report is due a day later, at the same hour of the clock", () => {
    const { publishExpectedBy, todayExpectedBy } = freshness(
      new Date('2026-03-07T18:00:00Z'),
      new Map(),
      fine,
    );
    expect(publishExpectedBy).toBe('2026-03-07T08:00:00-08:00');
    expect(todayExpectedBy).toBe('2026-03-08T08:00:00-07:00');
  });
});
