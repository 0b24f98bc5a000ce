import { describe, expect, test } from 'bun:test';
import { frameOf, heightAt } from '../../../src/console/parts/chart/frame.ts';
import { bandPath, linePath } from '../../../src/console/parts/chart/paths.ts';
import { csvRows, tableOf } from '../../../src/console/parts/chart/rows.ts';
import type { TimeChartProps } from '../../../src/console/parts/chart/types.ts';

const days = Array.from({ length: 29 }, (_, index) =>
  new Date(Date.UTC(2026, 9, 26 + index)).toISOString().slice(0, 10),
);
const chart: TimeChartProps = {
  title: 'People a day',
  days,
  series: [
    {
      key: 'a',
      name: 'A',
      values: days.map((_, index) => (index === 9 ? null : 100 + index * 25)),
    },
    { key: 'b', name: 'B', values: days.map((_, index) => index * 3) },
  ],
  format: { show: String },
  isLastPartial: true,
  marks: [{ key: 'm', kind: 'version', day: '2026-11-07', label: '2.4.0' }],
  csvName: 'people',
};

/** Numbers of a path, point by point. */
const pointsOf = (path: string) =>
  [...path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

describe('the positions of a time chart', () => {
  test('are those of plain loops over its edges', () => {
    const frame = frameOf(chart, 728);
    expect([frame.left, frame.top, frame.bottom]).toEqual([40, 32, 324]);
    const expected: number[][] = [];
    const step = (frame.right - 40) / 28.5;
    let most = 0;
    for (const { values } of chart.series)
      for (const value of values) most = Math.max(most, value ?? 0);
    let top = 0;
    while (top < most) top += 200;
    for (let index = 0; index < 28; index++) {
      const value = chart.series[0]?.values[index];
      if (value === null || value === undefined) continue;
      expected.push([40 + index * step, 324 - (value / top) * 292]);
    }
    const drawn = pointsOf(linePath(frame.xs, chart.series[0]?.values.slice(0, 28) ?? [], frame.y));
    expect(drawn).toHaveLength(expected.length);
    drawn.forEach(([x = 0, y = 0], index) => {
      expect(Math.abs(x - (expected[index]?.[0] ?? 0))).toBeLessThan(0.06);
      expect(Math.abs(y - (expected[index]?.[1] ?? 0))).toBeLessThan(0.06);
    });
  });

  test('of a band go along both of its ends', () => {
    const frame = frameOf({ ...chart, isLastPartial: false }, 560);
    const low = days.map((_, index) => index);
    const high = days.map((_, index) => index * 2 + 10);
    const drawn = pointsOf(bandPath(frame.xs, low, high, frame.y));
    expect(drawn).toHaveLength(58);
    for (let index = 0; index < 29; index++) {
      expect(drawn[index]?.[1]).toBeCloseTo(frame.y(index * 2 + 10), 0);
      expect(drawn[57 - index]?.[1]).toBeCloseTo(frame.y(index), 0);
      expect(drawn[57 - index]?.[0]).toBe(drawn[index]?.[0] ?? Number.NaN);
    }
  });

  test('of bars on each other are sums, below zero too', () => {
    const values = [
      [5, -2],
      [3, -4],
    ];
    const bars: TimeChartProps = {
      ...chart,
      kind: 'bar',
      days: days.slice(0, 2),
      isLastPartial: false,
      series: values.map((own, index) => ({ key: `${index}`, name: `${index}`, values: own })),
    };
    const frame = frameOf(bars, 500);
    expect(frame.axis.top).toBeGreaterThanOrEqual(8);
    expect(frame.axis.bottom).toBeLessThanOrEqual(-6);
    const [first, second] = frame.drawn;
    expect(first?.spans).toEqual([
      [0, 5],
      [-2, 0],
    ]);
    expect(second?.spans).toEqual([
      [5, 8],
      [-6, -2],
    ]);
    expect(second && heightAt(frame, second, 0)).toBeCloseTo(frame.y(6.5), 6);
  });

  test('leave room for long names and narrow places, and the axis stays inside', () => {
    const long = {
      ...chart,
      series: chart.series.map((one) => ({ ...one, name: 'x'.repeat(80) })),
    };
    for (const width of [260, 326, 728, 1110]) {
      const { left, right, ticks, xs } = frameOf(long, width);
      expect(right - left).toBeGreaterThan(width * 0.4);
      expect(xs.at(-1)).toBeLessThanOrEqual(right);
      for (const { x, width: wide } of ticks) {
        expect(x - wide / 2).toBeGreaterThanOrEqual(0);
        expect(x + wide / 2).toBeLessThanOrEqual(width + 0.001);
      }
    }
  });
});

test('the table behind has a row a day with what is drawn, and the file its numbers', () => {
  const rows = csvRows(tableOf(chart));
  expect(rows[0]).toEqual(['Day', 'A', 'B', 'Marks']);
  expect(rows).toHaveLength(30);
  expect(rows[10]).toEqual(['2026-11-04', null, 27, '']);
  expect(rows[13]).toEqual(['2026-11-07', 400, 36, '2.4.0']);
  const withBand = {
    ...chart,
    marks: [],
    series: [{ key: 'r', name: 'R', values: [1], low: [0], high: [2] }],
  };
  expect(csvRows(tableOf(withBand))[0]).toEqual(['Day', 'R', 'R, low', 'R, high']);
});
