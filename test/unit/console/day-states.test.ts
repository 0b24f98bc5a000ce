import { describe, expect, test } from 'bun:test';
import { dayStates, daysLeft, isCollecting } from '../../../src/console/pages/sales/day-states.ts';

const NOW = Date.parse('2026-07-15T18:00:00Z');
const freshness = {
  yesterday: '2026-07-14',
  today: '2026-07-15',
  todayExpectedBy: '2026-07-16T08:00:00-07:00',
  publishExpectedBy: '2026-07-15T08:00:00-07:00',
  state: 'ready' as const,
  checkedAt: '2026-07-15T12:20:00.000Z',
  lastRunAt: '2026-07-15T12:21:00.000Z',
  lastError: null,
  coveredFrom: '2026-06-01',
  coveredThrough: '2026-07-13',
  daysBehind: 1,
  gaps: 2,
};
const NONE = {
  ...{ proceedsMinor: 0, customerSpendMinor: 0, unconvertedProceedsMinor: 0, downloads: 0 },
  ...{ redownloads: 0, updates: 0, iapUnits: 0, subscriptionUnits: 0, trials: 0 },
  ...{ otherUnits: 0, refunds: 0 },
};
const day = (name: string, covered = false) => ({ ...NONE, day: name, covered });
const DAYS = ['2026-05-31', '2026-06-20', '2026-07-12', '2026-07-14'];
const series = [...DAYS.map((name) => day(name)), day('2026-07-13', true)];
const states = (changes: Partial<typeof freshness>, nowMs = NOW) =>
  dayStates({ freshness: { ...freshness, ...changes }, series }, nowMs).map(({ state }) => state);

describe('a day of sales', () => {
  test('is known, late, missing in between, or older than what the store has', () => {
    expect(states({})).toEqual(['gone', 'gap', 'late', 'late', 'covered']);
  });

  test('is not due before the hour at which the store publishes', () => {
    expect(states({}, Date.parse('2026-07-15T10:00:00Z')).at(3)).toBe('due');
  });

  test('is still to collect while a run is under way, or after one that failed', () => {
    const running = { checkedAt: '2026-07-15T12:22:00.000Z' };
    expect(states(running).at(0)).toBe('ahead');
    expect(states({ ...freshness, lastError: 'The store cannot be reached.' } as never).at(0)).toBe(
      'ahead',
    );
    const underWay = { freshness: { ...freshness, ...running }, series };
    expect(isCollecting(underWay)).toBe(true);
    expect(daysLeft(underWay, dayStates(underWay, NOW))).toBe(1);
    expect(daysLeft({ freshness }, [])).toBeNull();
  });
});
