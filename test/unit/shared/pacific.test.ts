import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  addDays,
  daysBetween,
  eachDay,
  pacificDay,
  pacificInstant,
  pacificIso,
} from '../../../src/shared/pacific.ts';

const HOUR_MS = 3_600_000;

describe('Pacific days', () => {
  test.each([
    ['2026-01-15T07:59:59Z', '2026-01-14'],
    ['2026-01-15T08:00:00Z', '2026-01-15'],
    ['2026-07-15T06:59:59Z', '2026-07-14'],
    ['2026-07-15T07:00:00Z', '2026-07-15'],
  ])('%s falls on %s', (instant, day) => {
    expect(pacificDay(new Date(instant))).toBe(day);
  });

  test('the spring day has 23 hours, the autumn day 25', () => {
    const hours = (day: string) =>
      (pacificInstant(addDays(day, 1), 0).getTime() - pacificInstant(day, 0).getTime()) / HOUR_MS;
    expect(hours('2026-03-08')).toBe(23);
    expect(hours('2026-11-01')).toBe(25);
    expect(hours('2026-11-02')).toBe(24);
  });

  test('eight in the morning stays eight in the morning across both changes', () => {
    expect(pacificInstant('2026-03-07', 8).toISOString()).toBe('2026-03-07T16:00:00.000Z');
    expect(pacificInstant('2026-03-08', 8).toISOString()).toBe('2026-03-08T15:00:00.000Z');
    expect(pacificInstant('2026-10-31', 8).toISOString()).toBe('2026-10-31T15:00:00.000Z');
    expect(pacificInstant('2026-11-01', 8).toISOString()).toBe('2026-11-01T16:00:00.000Z');
  });

  test('an instant is written with the offset in force', () => {
    expect(pacificIso(new Date('2026-07-15T15:00:00Z'))).toBe('2026-07-15T08:00:00-07:00');
    expect(pacificIso(new Date('2026-12-15T16:00:00Z'))).toBe('2026-12-15T08:00:00-08:00');
  });

  test('every instant belongs to exactly one day between its two midnights', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1.5e12, max: 1.9e12 }), (ms) => {
        const day = pacificDay(new Date(ms));
        expect(pacificInstant(day, 0).getTime()).toBeLessThanOrEqual(ms);
        expect(pacificInstant(addDays(day, 1), 0).getTime()).toBeGreaterThan(ms);
      }),
    );
  });
});

describe('calendar arithmetic', () => {
  test('crosses months, years and leap days', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(daysBetween('2026-03-07', '2026-03-09')).toBe(2);
    expect(daysBetween('2026-03-09', '2026-03-07')).toBe(-2);
  });

  test('a range holds both ends and is empty backwards', () => {
    expect(eachDay('2026-10-31', '2026-11-02')).toEqual(['2026-10-31', '2026-11-01', '2026-11-02']);
    expect(eachDay('2026-11-02', '2026-11-01')).toEqual([]);
  });

  test('adding and counting are inverse', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2000, max: 2000 }), (days) => {
        expect(daysBetween('2026-01-01', addDays('2026-01-01', days))).toBe(days);
      }),
    );
  });
});
