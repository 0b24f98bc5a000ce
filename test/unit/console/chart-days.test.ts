import { describe, expect, test } from 'bun:test';
import {
  calendarBlocks,
  calendarWeeks,
  monthStarts,
} from '../../../src/console/parts/chart/calendar-weeks.ts';
import { axisName, endMs, startMs, tickPlaces } from '../../../src/console/parts/chart/days.ts';
import { fold } from '../../../src/console/parts/chart/fold.ts';
import { marksOn } from '../../../src/console/parts/chart/rows.ts';
import type { ChartMark } from '../../../src/console/parts/chart/types.ts';

const DAY_MS = 86_400_000;
const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * DAY_MS).toISOString().slice(0, 10),
  );

describe('the names below an axis', () => {
  const named = (days: readonly string[]) => tickPlaces(days, 'day').map((index) => days[index]);

  test('are all days under 15, then Mondays, over 120 days the firsts of months', () => {
    expect(named(daysFrom('2026-11-09', 14))).toHaveLength(14);
    expect(named(daysFrom('2026-10-26', 29))).toEqual([
      ...['2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16', '2026-11-23'],
    ]);
    expect(named(daysFrom('2025-11-24', 130))).toEqual([
      ...['2025-12-01', '2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01'],
    ]);
  });

  test('of hours are every sixth, of three days on midnights', () => {
    const hours = (count: number) =>
      Array.from({ length: count }, (_, hour) =>
        new Date(Date.UTC(2026, 10, 22, hour)).toISOString().slice(0, 16),
      );
    expect(tickPlaces(hours(24), 'hour')).toEqual([0, 6, 12, 18]);
    expect(tickPlaces(hours(96), 'hour')).toEqual([0, 24, 48, 72]);
  });

  test('are the same in each zone of a reader', () => {
    expect(startMs('2026-03-29')).toBe(Date.UTC(2026, 2, 29));
    expect(startMs('2026-03-29T13:00')).toBe(Date.UTC(2026, 2, 29, 13));
    expect(endMs('2026-03-29', 'day') - startMs('2026-03-29')).toBe(DAY_MS);
    expect(endMs('2026-02-01', 'month')).toBe(Date.UTC(2026, 2, 1));
    expect(endMs('2026-11-02', 'week')).toBe(Date.UTC(2026, 10, 9));
    expect(axisName('2026-11-07', 'day')).toContain('7');
  });
});

describe('marks', () => {
  const mark = (key: string, more: Partial<ChartMark> = {}): ChartMark => ({
    ...{ key, kind: 'note', day: '2026-11-07', label: key },
    ...more,
  });
  const widthOf = (text: string) => text.length * 6;
  const folded = (marks: readonly [number, ChartMark][], max = 700) =>
    fold(
      marks.map(([x, one]) => ({ x, mark: one })),
      { min: 0, max, widthOf },
    );

  test('have a label where there is room, else the icon', () => {
    const chips = folded([
      [100, mark('2.4.0')],
      [130, mark('Featured')],
      [400, mark('2.4.1')],
    ]);
    expect(chips.map(({ label }) => label)).toEqual([null, 'Featured', '2.4.1']);
    expect(chips.map(({ left }) => left)).toEqual([90, 120, 390]);
  });

  test('of one day or too near fold into the one that says most', () => {
    const chips = folded([
      [100, mark('Mail')],
      [100, mark('2.4.0', { kind: 'version' })],
      [118, mark('Price', { kind: 'price' })],
    ]);
    expect(chips).toHaveLength(1);
    expect(chips[0]).toMatchObject({ label: '2.4.0 +2', days: [100, 118] });
  });

  test('that a rule spoke of keep their label over those that follow', () => {
    const chips = folded([
      [286, mark('2.4.0', { kind: 'version', tone: 'warn' })],
      [327, mark('A', { kind: 'experiment' })],
      [368, mark('B', { kind: 'experiment' })],
    ]);
    expect(chips.map(({ label }) => label)).toEqual(['2.4.0 +1', 'B']);
  });

  test('never overlap and never leave the picture', () => {
    for (const step of [3, 11, 20.5, 35]) {
      const many = Array.from({ length: 30 }, (_, index): [number, ChartMark] => [
        40 + index * step,
        mark(`Mark ${index}`, index % 7 === 0 ? { tone: 'good' } : {}),
      ]);
      const max = 40 + 29 * step + 10;
      const chips = folded(many, max);
      expect(chips.flatMap(({ marks }) => marks)).toHaveLength(30);
      chips.forEach((chip, index) => {
        const next = chips[index + 1];
        // Their buttons are 24 px wide at least, and do not overlap either.
        const end = next ? next.left - 4 : max;
        expect(chip.left + chip.width).toBeLessThanOrEqual(end + 0.001);
      });
    }
  });

  test('belong to the place that their day lies in', () => {
    const weeks = ['2026-11-02', '2026-11-09'];
    const marks = ['2026-11-01', '2026-11-07', '2026-11-09', '2026-11-14'].map((day) => ({ day }));
    expect(marksOn(marks, weeks, 0).map(({ day }) => day)).toEqual(['2026-11-07']);
    expect(marksOn(marks, weeks, 1).map(({ day }) => day)).toEqual(['2026-11-09', '2026-11-14']);
  });
});

describe('the calendar of a year', () => {
  const year = daysFrom('2025-11-24', 365).map((day) => ({ day, state: 'known' as const }));

  test('has a column a week, 53 at most, from Monday to Sunday', () => {
    const weeks = calendarWeeks(year);
    expect(weeks.length).toBeLessThanOrEqual(53);
    expect(weeks.flat().map(({ day }) => day)).toEqual(year.map(({ day }) => day));
    for (const week of weeks.slice(1)) expect(week[0]?.weekday).toBe(0);
    expect(calendarWeeks(daysFrom('2026-01-01', 4).map((day) => ({ day, state: 'late' })))).toEqual(
      [
        [3, 4, 5, 6].map((weekday, index) => ({
          day: `2026-01-0${index + 1}`,
          state: 'late',
          weekday,
        })),
      ],
    );
  });

  test('is cut into two halves where it is narrow', () => {
    const blocks = calendarBlocks(year, 2);
    expect(blocks.map(({ length }) => length)).toEqual([27, 26]);
    expect(blocks.flat(2)).toHaveLength(365);
  });

  test('names months apart from each other', () => {
    const starts = monthStarts(calendarWeeks(year), 3);
    expect(starts.length).toBeGreaterThan(10);
    starts.slice(1).forEach((start, index) => {
      expect(start - (starts[index] ?? 0)).toBeGreaterThanOrEqual(3);
    });
  });
});
