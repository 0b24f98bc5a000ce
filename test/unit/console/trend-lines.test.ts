import { describe, expect, test } from 'bun:test';
import { ratioDrawing } from '../../../src/console/pages/trends/drawing.ts';
import { courseOf, linesOf } from '../../../src/console/pages/trends/lines.ts';
import {
  daysOfPlaces,
  lastDayOf,
  placeOf,
  shifted,
} from '../../../src/console/pages/trends/places.ts';

type Asked = Parameters<typeof linesOf>[0];
type Active = Parameters<typeof ratioDrawing>[0][number];

describe('a place of the axis', () => {
  test('is a day or an hour of the zone of the app', () => {
    const iso = '2026-11-10T23:00:00.000Z';
    expect(placeOf(iso, 'Europe/Berlin', 'day')).toBe('2026-11-11');
    expect(placeOf(iso, 'Europe/Berlin', 'hour')).toBe('2026-11-11T00:00');
  });

  test('has others before and after it', () => {
    expect(shifted('2026-11-01T00:00', 'hour', -1)).toBe('2026-10-31T23:00');
    expect(shifted('2026-11-02', 'week', -4)).toBe('2026-10-05');
    expect(shifted('2026-01-01', 'month', -1)).toBe('2025-12-01');
  });

  test('ends with its last day', () => {
    expect(lastDayOf('2026-11-02', 'week')).toBe('2026-11-08');
    expect(lastDayOf('2026-02-01', 'month')).toBe('2026-02-28');
  });

  test('that is dragged to is a range of days up to today', () => {
    const today = '2026-11-18';
    expect(daysOfPlaces('2026-11-02', '2026-11-16', 'week', today)).toEqual({
      from: '2026-11-02',
      to: today,
    });
  });
});

test('lines of values and that of the rest have a key each', () => {
  const figures = {
    points: [{ from: '2026-11-02T00:00:00.000Z', people: 1, events: 1 }],
    totals: { people: 1, events: 1, peopleChange: null },
  };
  const named = [{ key: ':rest' }, { key: 'other' }, { key: 'other', rest: true as const }];
  const series = named.map((one) => ({ ...one, ...figures }));
  const asked = {
    ask: {
      ...{ kind: 'trend', series: [{ events: ['app_opened'] }], measure: { of: 'people' } },
      breakdown: 'prop:source',
    },
    first: { kind: 'series', interval: 'day', ...figures, series, timezone: 'UTC' },
    others: [],
  } as unknown as Asked;
  const { lines } = linesOf(asked, null);
  expect(lines.map(({ name, source }) => [name, source === undefined])).toEqual([
    [':rest', false],
    ['other', false],
    ['Other', true],
  ]);
  expect(new Set(lines.map(({ key }) => key)).size).toBe(3);
});

test('lines of a ratio are those of which people are listed', () => {
  const from = '2026-11-02T00:00:00.000Z';
  const figures = { points: [{ from, people: 1, events: 1 }], totals: { people: 1 } };
  const where = { all: [{ field: 'platform', op: 'is' as const, value: 'ios' }] };
  const series = ['app_opened', 'searched'].map((event) => ({ events: [event], where }));
  const ask = { kind: 'trend' as const, series, measure: { of: 'people' as const } };
  const answered = { kind: 'series', interval: 'day', timezone: 'UTC', ...figures };
  const first = {
    ...answered,
    series: series.map(({ events }) => ({ key: events[0], ...figures })),
  };
  const { lines } = linesOf({ ask, first, others: [] } as unknown as Asked, null);
  const points = [{ from, dau: 1, wau: 2, mau: 4 }];
  const active = { timezone: 'UTC', active: { dauOverMau: 0.25, points } } as unknown as Active;
  const drawing = ratioDrawing([active, active], ask, lines[1]?.key);
  expect(drawing?.series.map(({ key }) => key)).toEqual([lines[1]?.key ?? '']);
});

describe('the course of a line', () => {
  const before = [null, null, 3, 4, 5, 6, 7];
  const values = [8, 9, 20, 11, 12, 13, 14, 2];

  test('leaves out what is not over, and what was before the first event', () => {
    expect(courseOf({ values, before }, 7)).toEqual({
      mean: 87 / 7,
      highest: { value: 20, index: 2 },
      latest: 14,
      earlier: 7,
    });
    expect(courseOf({ values: values.slice(0, 3), before: [null, null, null] }, 3)).toMatchObject({
      latest: 20,
      earlier: null,
    });
  });

  test('is not held against days that had less behind them', () => {
    expect(courseOf({ values, before, comparableFrom: 0 }, 7).earlier).toBeNull();
    expect(courseOf({ values, before, comparableFrom: 1 }, 7, 1)).toMatchObject({ earlier: 13 });
  });
});
