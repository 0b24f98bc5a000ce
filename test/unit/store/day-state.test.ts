import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  answerOfRows,
  DAY_STATES,
  type DayAnswer,
  type DayRecord,
  type DayState,
  isCovered,
  nextDay,
  toDayAnswer,
} from '../../../src/modules/sales/days/day-state.ts';

const NOW = new Date('2026-03-10T18:00:00Z');
const HOUR_MS = 3_600_000;
const situation = (state: DayState | null, change: { day?: string; emptySeenAt?: Date } = {}) => ({
  record: state && { state, checkedAt: NOW, emptySeenAt: change.emptySeenAt ?? null },
  day: change.day ?? '2026-03-01',
  today: '2026-03-10',
  now: NOW,
});
const next = (answer: DayAnswer, state: DayState | null, day?: string) =>
  nextDay(answer, situation(state, day ? { day } : {}));

describe('a day seen for the first time', () => {
  test.each([
    ['rows', 'reported', 'replace'],
    ['empty', 'zero', 'clear'],
    ['not_yet', 'pending', 'keep'],
    ['gone', 'expired', 'keep'],
    ['unclear', 'inferred_zero', 'keep'],
    ['failed', 'error', 'keep'],
  ] as const)('%s makes it %s', (answer, state, rows) => {
    expect(next(answer, null)).toEqual({ state, emptySeenAt: null, rows });
  });

  test('an unclear answer of the last two days may still become a report', () => {
    expect(next('unclear', null, '2026-03-08').state).toBe('pending');
    expect(next('unclear', null, '2026-03-07').state).toBe('inferred_zero');
  });

  test('a header without rows is a zero', () => {
    expect(answerOfRows(false)).toBe('empty');
    expect(answerOfRows(true)).toBe('rows');
    expect(toDayAnswer('no_sales')).toBe('empty');
    expect(toDayAnswer('gone')).toBe('gone');
  });
});

describe('a reported day', () => {
  test.each(['not_yet', 'gone', 'unclear', 'failed'] as const)('survives %s', (answer) => {
    expect(next(answer, 'reported')).toEqual({
      state: 'reported',
      emptySeenAt: null,
      rows: 'keep',
    });
  });

  test('is replaced by new rows', () => {
    expect(next('rows', 'reported').rows).toBe('replace');
  });

  test('is emptied only when the store says so again a day later', () => {
    expect(next('empty', 'reported')).toEqual({
      state: 'reported',
      emptySeenAt: NOW,
      rows: 'keep',
    });
    const soon = new Date(NOW.getTime() - 23 * HOUR_MS);
    expect(nextDay('empty', situation('reported', { emptySeenAt: soon }))).toEqual({
      state: 'reported',
      emptySeenAt: soon,
      rows: 'keep',
    });
    const later = new Date(NOW.getTime() - 24 * HOUR_MS);
    expect(nextDay('empty', situation('reported', { emptySeenAt: later }))).toEqual({
      state: 'zero',
      emptySeenAt: null,
      rows: 'clear',
    });
  });

  test('rows in between forget that it was empty', () => {
    const seen = new Date(NOW.getTime() - 30 * HOUR_MS);
    expect(nextDay('rows', situation('reported', { emptySeenAt: seen })).emptySeenAt).toBeNull();
  });
});

describe('other days', () => {
  test('pending becomes anything, a zero becomes rows', () => {
    expect(next('rows', 'pending').state).toBe('reported');
    expect(next('empty', 'pending').state).toBe('zero');
    expect(next('gone', 'pending').state).toBe('expired');
    expect(next('rows', 'zero').state).toBe('reported');
    expect(next('not_yet', 'zero').state).toBe('zero');
  });

  test('a guessed zero gives way to what the store says', () => {
    expect(next('rows', 'inferred_zero').state).toBe('reported');
    expect(next('empty', 'inferred_zero').state).toBe('zero');
    expect(next('not_yet', 'inferred_zero').state).toBe('pending');
    expect(next('failed', 'inferred_zero').state).toBe('inferred_zero');
  });

  test('whatever is answered in whatever order, rows go only by rows or by confirmed emptiness', () => {
    const answers = fc.array(
      fc.tuple(
        fc.constantFrom<DayAnswer>('rows', 'empty', 'not_yet', 'gone', 'unclear', 'failed'),
        fc.integer({ min: 1, max: 30 }),
      ),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(answers, (list) => {
        let record: DayRecord | null = null;
        let now = NOW;
        let lastTwo: DayAnswer[] = [];
        for (const [answer, hours] of list) {
          now = new Date(now.getTime() + hours * HOUR_MS);
          lastTwo = [...lastTwo.slice(-1), answer];
          const before: DayRecord | null = record;
          const change = nextDay(answer, { ...situation(null), record: before, now });
          expect(DAY_STATES).toContain(change.state);
          if (before?.state === 'reported' && change.state !== 'reported') {
            expect(answer).toBe('empty');
            expect(before.emptySeenAt).not.toBeNull();
          }
          expect(change.rows === 'replace').toBe(answer === 'rows');
          record = { state: change.state, checkedAt: now, emptySeenAt: change.emptySeenAt };
        }
        expect(isCovered(record?.state)).toBe(
          ['reported', 'zero', 'inferred_zero'].includes(record?.state ?? ''),
        );
      }),
    );
  });
});
