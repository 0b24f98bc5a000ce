import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { DayRecord, DayState } from '../../../src/modules/sales/days/day-state.ts';
import {
  dayKey,
  HISTORY_DAYS,
  planDays,
  wakeMinute,
} from '../../../src/modules/sales/days/plan.ts';
import { REPORT_TYPES } from '../../../src/providers/store/port.ts';
import { addDays, pacificDay, pacificInstant } from '../../../src/shared/pacific.ts';

const ORG = 'org_1';
const NOON = pacificInstant('2026-03-10', 12);
const HOUR_MS = 3_600_000;

function history(now: Date, state: DayState, checkedAt: Date): Map<string, DayRecord> {
  const records = new Map<string, DayRecord>();
  for (let age = 1; age <= HISTORY_DAYS; age += 1) {
    for (const type of REPORT_TYPES) {
      const key = dayKey(type, addDays(pacificDay(now), -age));
      records.set(key, { state, checkedAt, emptySeenAt: null });
    }
  }
  return records;
}
const plan = (records: Map<string, DayRecord>, now = NOON, forcedAt: Date | null = null) =>
  planDays({ orgId: ORG, now, records, forcedAt });
const ago = (hours: number, now = NOON) => new Date(now.getTime() - hours * HOUR_MS);

describe('the first run', () => {
  test('collects a year of every report, newest first', () => {
    const { due, historyRemaining } = plan(new Map());
    expect(due).toHaveLength(3 * HISTORY_DAYS);
    expect(historyRemaining).toBe(HISTORY_DAYS);
    expect(due[0]).toEqual({ reportType: 'SALES', day: '2026-03-09' });
    expect(due[1]).toEqual({ reportType: 'SUBSCRIPTION_EVENT', day: '2026-03-09' });
    expect(due[2]).toEqual({ reportType: 'SUBSCRIPTION', day: '2026-03-09' });
    expect(due.at(-1)?.day).toBe('2025-03-10');
  });

  test('before five in the morning yesterday is not asked for', () => {
    const { due } = plan(new Map(), pacificInstant('2026-03-10', 4, 59));
    expect(due[0]?.day).toBe('2026-03-08');
  });

  test('stops at the newest day that the store has dropped, for each report by itself', () => {
    const records = new Map<string, DayRecord>([
      ['SALES 2026-01-31', { state: 'expired', checkedAt: NOON, emptySeenAt: null }],
    ]);
    const { due, historyRemaining } = plan(records);
    const sales = due.filter(({ reportType }) => reportType === 'SALES');
    expect(sales.at(-1)?.day).toBe('2026-02-01');
    expect(historyRemaining).toBe(sales.length);
    expect(due.length - sales.length).toBe(2 * HISTORY_DAYS);
  });
});

describe('what was seen', () => {
  test('is not asked for again on the same morning', () => {
    expect(plan(history(NOON, 'reported', ago(1))).due).toEqual([]);
  });

  test('is asked for again the next morning, for a week back', () => {
    const { due } = plan(history(NOON, 'reported', ago(24)));
    expect(due).toHaveLength(21);
    expect(due.at(-1)?.day).toBe('2026-03-03');
  });

  test('is swept weekly, for 35 days back', () => {
    expect(plan(history(NOON, 'zero', ago(7 * 24))).due).toHaveLength(105);
  });

  test('is asked for when a member wants it now, once', () => {
    const records = history(NOON, 'reported', ago(1));
    expect(plan(records, NOON, ago(0.5)).due).toHaveLength(21);
    expect(plan(records, NOON, ago(2)).due).toEqual([]);
  });

  test.each(['pending', 'error'] as const)('%s is asked for every half hour when new', (state) => {
    expect(plan(history(NOON, state, ago(0.49))).due).toEqual([]);
    const { due } = plan(history(NOON, state, ago(0.5)));
    const days = ['2026-03-09', '2026-03-08'];
    expect(due.map(({ day }) => day)).toEqual(days.flatMap((day) => [day, day, day]));
  });

  test.each(['pending', 'error'] as const)('%s is asked for daily when old', (state) => {
    expect(plan(history(NOON, state, ago(23.9))).due).toHaveLength(6);
    expect(plan(history(NOON, state, ago(24))).due).toHaveLength(3 * HISTORY_DAYS);
  });

  test.each(['pending', 'error'] as const)(
    '%s is asked for when a member wants it now, however old, once, and before all else',
    (state) => {
      const records = history(NOON, 'reported', ago(1));
      for (const day of ['2025-04-01', '2026-02-20', '2026-03-08']) {
        records.set(dayKey('SALES', day), { state, checkedAt: ago(0.25), emptySeenAt: null });
      }
      expect(plan(records).due).toEqual([]);
      const { due } = plan(records, NOON, ago(0.1));
      expect(due.slice(0, 3)).toEqual([
        { reportType: 'SALES', day: '2026-03-08' },
        { reportType: 'SALES', day: '2026-02-20' },
        { reportType: 'SALES', day: '2025-04-01' },
      ]);
      // The rest of the week comes after it, with one report less that is known.
      expect(due).toHaveLength(3 + 20);
      expect(plan(records, NOON, ago(0.25)).due.map(({ day }) => day)).not.toContain('2025-04-01');
    },
  );

  test('what is missing counts as remaining: never asked for, awaited or unreadable, sales only', () => {
    const records = history(NOON, 'reported', ago(1));
    expect(plan(records).historyRemaining).toBe(0);
    records.delete(dayKey('SALES', '2025-12-01'));
    records.set(dayKey('SALES', '2025-12-02'), {
      state: 'pending',
      checkedAt: ago(1),
      emptySeenAt: null,
    });
    records.set(dayKey('SALES', '2025-12-03'), {
      state: 'error',
      checkedAt: ago(1),
      emptySeenAt: null,
    });
    records.delete(dayKey('SUBSCRIPTION_EVENT', '2025-12-04'));
    expect(plan(records).historyRemaining).toBe(3);
  });

  test('a reported day that answered empty is asked for a day later, however old', () => {
    const records = history(NOON, 'reported', ago(1));
    const old = dayKey('SALES', '2025-12-01');
    records.set(old, { state: 'reported', checkedAt: ago(24), emptySeenAt: ago(24) });
    expect(plan(records).due).toEqual([{ reportType: 'SALES', day: '2025-12-01' }]);
    records.set(old, { state: 'reported', checkedAt: ago(23), emptySeenAt: ago(23) });
    expect(plan(records).due).toEqual([]);
    expect(plan(records).nextWakeAt).toEqual(new Date(NOON.getTime() + HOUR_MS));
  });

  test('sales and subscription reports never speak for each other', () => {
    const records = history(NOON, 'reported', ago(1));
    const late = dayKey('SUBSCRIPTION_EVENT', '2026-03-09');
    records.set(late, { state: 'pending', checkedAt: ago(1), emptySeenAt: null });
    expect(plan(records).due).toEqual([{ reportType: 'SUBSCRIPTION_EVENT', day: '2026-03-09' }]);
  });
});

describe('waking up', () => {
  test('happens each morning at the same Pacific time, across both clock changes', () => {
    for (const day of ['2026-03-07', '2026-03-08', '2026-10-31', '2026-11-01']) {
      const now = pacificInstant(day, 12);
      const { nextWakeAt } = plan(history(now, 'reported', ago(1, now)), now);
      expect(nextWakeAt).toEqual(pacificInstant(addDays(day, 1), 5, wakeMinute(ORG)));
    }
  });

  test('a run in the night leaves the morning of the same day', () => {
    const night = pacificInstant('2026-03-10', 1);
    const { nextWakeAt } = plan(history(night, 'reported', ago(1, night)), night);
    expect(nextWakeAt).toEqual(pacificInstant('2026-03-10', 5, wakeMinute(ORG)));
  });

  test('at the very minute of the wake-up the next one is a day later', () => {
    const wake = pacificInstant('2026-03-10', 5, wakeMinute(ORG));
    const before = new Date(wake.getTime() - 1);
    const at = (now: Date) => plan(history(now, 'reported', ago(1, now)), now).nextWakeAt;
    expect(at(before)).toEqual(wake);
    expect(at(wake)).toEqual(pacificInstant('2026-03-11', 5, wakeMinute(ORG)));
  });

  test.each(['pending', 'error'] as const)(
    '%s wakes it half an hour after it was asked for when new, a day after when old',
    (state) => {
      const wakeFor = (day: string) => {
        const records = history(NOON, 'reported', ago(1));
        records.set(dayKey('SALES', day), { state, checkedAt: ago(0.2), emptySeenAt: null });
        return plan(records).nextWakeAt;
      };
      expect(wakeFor('2026-03-08')).toEqual(new Date(ago(0.2).getTime() + HOUR_MS / 2));
      // A day from then is later than the next morning.
      expect(wakeFor('2026-03-07')).toEqual(pacificInstant('2026-03-11', 5, wakeMinute(ORG)));
    },
  );

  test.each(['zero', 'inferred_zero', 'expired', 'reported'] as const)(
    '%s does not, but for a reported day that answered empty',
    (state) => {
      const morning = pacificInstant('2026-03-11', 5, wakeMinute(ORG));
      const records = history(NOON, 'reported', ago(1));
      const old = dayKey('SALES', '2025-12-01');
      records.set(old, { state, checkedAt: ago(20), emptySeenAt: null });
      expect(plan(records).nextWakeAt).toEqual(morning);
      records.set(old, { state, checkedAt: ago(20), emptySeenAt: ago(20) });
      const soon = new Date(NOON.getTime() + 4 * HOUR_MS);
      expect(plan(records).nextWakeAt).toEqual(state === 'reported' ? soon : morning);
    },
  );

  test('what is overdue wakes it now, not in the past', () => {
    const records = history(NOON, 'reported', ago(1));
    const late = dayKey('SALES', '2026-03-09');
    records.set(late, { state: 'pending', checkedAt: ago(5), emptySeenAt: null });
    expect(plan(records).nextWakeAt).toEqual(NOON);
  });

  test('the wake-up itself finds the week due', () => {
    const wake = pacificInstant('2026-03-10', 5, wakeMinute(ORG));
    expect(plan(history(wake, 'reported', ago(24, wake)), wake).due).toHaveLength(21);
  });

  test('organizations are spread over half an hour', () => {
    const minutes = Array.from({ length: 1000 }, (_, index) => wakeMinute(`org_${index}`));
    expect(Math.min(...minutes)).toBe(15);
    expect(Math.max(...minutes)).toBe(44);
    const busiest = Math.max(...minutes.map((one) => minutes.filter((m) => m === one).length));
    expect(busiest).toBeLessThan(80);
  });
});

describe('any state of things', () => {
  const states = fc.constantFrom<DayState>('reported', 'zero', 'pending', 'inferred_zero', 'error');
  const records = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 60 }), states, fc.integer({ min: 0, max: 400 })))
    .map(
      (list) =>
        new Map(
          list.map(([age, state, hours]): [string, DayRecord] => [
            dayKey('SALES', addDays('2026-03-10', -age)),
            { state, checkedAt: ago(hours), emptySeenAt: null },
          ]),
        ),
    );

  test('never asks twice, never for today, and carrying a plan out empties the next one', () => {
    fc.assert(
      fc.property(records, (known) => {
        const { due, nextWakeAt } = plan(known);
        const keys = due.map(({ reportType, day }) => dayKey(reportType, day));
        expect(new Set(keys).size).toBe(keys.length);
        expect(due.every(({ day }) => day < '2026-03-10')).toBe(true);
        expect(nextWakeAt >= NOON).toBe(true);
        for (const key of keys) {
          known.set(key, { state: 'reported', checkedAt: NOON, emptySeenAt: null });
        }
        expect(plan(known).due).toEqual([]);
      }),
    );
  });
});

test('a day that is asked for no more does not wake the actor every minute', () => {
  const records = history(NOON, 'reported', ago(1));
  const old = dayKey('SALES', addDays(pacificDay(NOON), -HISTORY_DAYS - 1));
  records.set(old, { state: 'error', checkedAt: ago(30), emptySeenAt: null });
  const { due, nextWakeAt } = plan(records);
  expect(due).toEqual([]);
  expect(nextWakeAt.getTime()).toBeGreaterThan(NOON.getTime() + HOUR_MS);
});
