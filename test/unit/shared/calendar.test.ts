import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { calendarBoundaries, startOfDate, startOfDay } from '../../../src/shared/calendar.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Zones whose clocks change at midnight, by half an hour, often, or not at all. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Pacific/Apia',
  'America/Santiago',
];

const formats = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }),
  ]),
);
const dateOf = (ms: number, zone: string) => formats.get(zone)?.format(ms) ?? '';
const mondayOf = (date: string) => {
  const day = new Date(`${date}T00:00:00Z`);
  return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY).toISOString().slice(0, 10);
};
const keyOf = { day: (d: string) => d, week: mondayOf, month: (d: string) => d.slice(0, 7) };

describe('the boundaries of a calendar', () => {
  test('lie exactly where the local day, week or month changes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.constantFrom('day' as const, 'week' as const, 'month' as const),
        fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2027, 0, 1) }),
        fc.integer({ min: 1, max: 70 * DAY }),
        fc.nat(3),
        (zone, interval, fromMs, length, before) => {
          const toMs = fromMs + length;
          const bounds = calendarBoundaries({ fromMs, toMs }, interval, zone, before);
          const key = (ms: number) => keyOf[interval](dateOf(ms, zone));
          for (const start of bounds) expect(key(start)).not.toBe(key(start - 1));
          for (const [index, start] of bounds.slice(0, -1).entries()) {
            const end = bounds[index + 1] ?? 0;
            for (let at = start; at < end; at += 7 * HOUR) expect(key(at)).toBe(key(start));
            expect(key(end - 1)).toBe(key(start));
          }
          expect(bounds[before]).toBeLessThanOrEqual(fromMs);
          expect(bounds[before + 1]).toBeGreaterThan(fromMs);
          expect(bounds.at(-1)).toBeGreaterThanOrEqual(toMs);
          expect(bounds.at(-2)).toBeLessThan(toMs);
        },
      ),
      { numRuns: process.env.TEST_FULL ? 2_000 : 60 },
    );
  });

  test('of hours begin with each local day, and none is longer than an hour', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2027, 0, 1) }),
        fc.integer({ min: 1, max: 4 * DAY }),
        fc.nat(30),
        (zone, fromMs, length, before) => {
          const toMs = fromMs + length;
          const bounds = calendarBoundaries({ fromMs, toMs }, 'hour', zone, before);
          const days = calendarBoundaries({ fromMs, toMs }, 'day', zone);
          for (const day of days) {
            const end = bounds.at(-1) ?? 0;
            if (day >= (bounds[0] ?? 0) && day <= end) expect(bounds).toContain(day);
          }
          for (const [index, start] of bounds.slice(0, -1).entries()) {
            const hour = (bounds[index + 1] ?? 0) - start;
            expect(hour).toBeGreaterThan(0);
            expect(hour).toBeLessThanOrEqual(HOUR);
          }
          expect(bounds[before]).toBeLessThanOrEqual(fromMs);
          expect(bounds[before + 1]).toBeGreaterThan(fromMs);
        },
      ),
      { numRuns: process.env.TEST_FULL ? 1_000 : 40 },
    );
  });

  test('of a day without a midnight is the first instant after the gap', () => {
    // Cairo goes from 00:00 to 01:00.
    expect(new Date(startOfDate('2026-04-24', 'Africa/Cairo')).toISOString()).toBe(
      '2026-04-23T22:00:00.000Z',
    );
    expect(
      startOfDate('2026-04-25', 'Africa/Cairo') - startOfDate('2026-04-24', 'Africa/Cairo'),
    ).toBe(23 * HOUR);
  });

  test('of a day with two midnights is the first of them', () => {
    // Havana goes from 01:00 back to 00:00.
    expect(
      startOfDate('2026-11-02', 'America/Havana') - startOfDate('2026-11-01', 'America/Havana'),
    ).toBe(25 * HOUR);
    const evening = Date.UTC(2026, 10, 1, 12);
    expect(startOfDay(evening, 'America/Havana')).toBe(startOfDate('2026-11-01', 'America/Havana'));
  });
});
