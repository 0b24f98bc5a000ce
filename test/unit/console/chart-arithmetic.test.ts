import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { columnBoxes, columnsFrame } from '../../../src/console/parts/chart/columns-frame.ts';
import { dayOfKey } from '../../../src/console/parts/chart/keys.ts';
import { spread, thinned } from '../../../src/console/parts/chart/labels.ts';
import { alone, sharesOf } from '../../../src/console/parts/chart/paths.ts';
import {
  barPlaces,
  nearest,
  nearestKey,
  placeAt,
  pointPlaces,
  runsOf,
} from '../../../src/console/parts/chart/places.ts';
import { linear, scaleOf, valueAxis } from '../../../src/console/parts/chart/scale.ts';
import { slotOf } from '../../../src/console/parts/chart/slots.ts';
import { spansOf } from '../../../src/console/parts/chart/spans.ts';
import { tooltipPlace } from '../../../src/console/parts/chart/tooltip-place.ts';

describe('the axis of amounts', () => {
  test('has the ticks of the pictures', () => {
    expect(valueAxis([108, 791, 235], { plotHeight: 292 }).ticks).toEqual([0, 200, 400, 600, 800]);
    expect(valueAxis([487], { plotHeight: 304 }).ticks).toEqual([0, 100, 200, 300, 400, 500]);
    expect(valueAxis([0.144], { plotHeight: 188 }).ticks).toEqual([0, 0.05, 0.1, 0.15]);
    expect(valueAxis([9], { plotHeight: 164, isWhole: true }).ticks).toEqual([0, 5, 10]);
  });

  test('is whole where there are no halves, and never without a length', () => {
    expect(valueAxis([2], { plotHeight: 300, isWhole: true }).ticks).toEqual([0, 1, 2]);
    expect(valueAxis([2], { plotHeight: 300 }).ticks).toEqual([0, 0.5, 1, 1.5, 2]);
    for (const figures of [[], [0, 0], [null, null]]) {
      expect(valueAxis(figures, { plotHeight: 300 })).toMatchObject({ bottom: 0, top: 1 });
    }
  });

  test('has every figure and zero, in at most eight steps', () => {
    const figures = fc.array(
      fc.option(fc.integer({ min: -1e7, max: 1e7 }).map((value) => value / 100)),
    );
    fc.assert(
      fc.property(
        figures,
        fc.integer({ min: 80, max: 400 }),
        fc.boolean(),
        (all, plotHeight, isWhole) => {
          const { bottom, top, ticks } = valueAxis(all, { plotHeight, isWhole });
          for (const figure of [0, ...all]) {
            if (figure === null) continue;
            expect(figure).toBeGreaterThanOrEqual(bottom);
            expect(figure).toBeLessThanOrEqual(top);
          }
          expect(ticks[0]).toBe(bottom);
          expect(ticks.at(-1)).toBe(top);
          expect(ticks.length).toBeLessThanOrEqual(8);
          expect(ticks).toContain(0);
        },
      ),
    );
  });
});

describe('places', () => {
  test('of points reach from edge to edge; what is not over has half a step of room', () => {
    expect(pointPlaces(3, { left: 40, right: 140, isLastPartial: false }).xs).toEqual([
      40, 90, 140,
    ]);
    const { xs, step } = pointPlaces(3, { left: 0, right: 100, isLastPartial: true });
    expect(xs).toEqual([0, 40, 80]);
    expect((xs[2] ?? 0) + step / 2).toBe(100);
    expect(pointPlaces(1, { left: 0, right: 100, isLastPartial: true }).xs).toEqual([50]);
    expect(pointPlaces(0, { left: 0, right: 100, isLastPartial: false }).xs).toEqual([]);
  });

  test('of bars are the middles of equal parts', () => {
    expect(barPlaces(4, { left: 0, right: 40 })).toEqual({ xs: [5, 15, 25, 35], step: 10 });
  });

  test('the nearest day is what a loop finds', () => {
    const places = fc.integer({ min: 1, max: 400 });
    fc.assert(
      fc.property(places, fc.integer({ min: -50, max: 1200 }), (count, x) => {
        const { xs } = pointPlaces(count, { left: 40, right: 1000, isLastPartial: false });
        let best = 0;
        for (let index = 1; index < xs.length; index++) {
          if (Math.abs((xs[index] ?? 0) - x) < Math.abs((xs[best] ?? 0) - x)) best = index;
        }
        const found = nearest(xs, x) ?? -1;
        expect(Math.abs((xs[found] ?? 0) - x)).toBeCloseTo(Math.abs((xs[best] ?? 0) - x), 6);
      }),
    );
    expect(nearest([], 5)).toBeUndefined();
  });

  test('the nearest line is known by its height', () => {
    const points = [
      { key: 'a', y: 10 },
      { key: 'b', y: null },
      { key: 'c', y: 60 },
    ];
    expect(nearestKey(points, 30)).toBe('a');
    expect(nearestKey(points, 40)).toBe('c');
    expect(nearestKey([], 40)).toBeUndefined();
  });

  test('an instant belongs to the day that it lies in', () => {
    expect([-1, 0, 9, 10, 29, 30].map((ms) => placeAt([0, 10, 20], 30, ms))).toEqual([
      ...[undefined, 0, 0, 1, 2, undefined],
    ]);
  });

  test('runs and lonely days', () => {
    expect(runsOf(7, (index) => [0, 1, 3, 5, 6].includes(index))).toEqual([
      [0, 1],
      [3, 3],
      [5, 6],
    ]);
    expect(alone([1, null, 2, null, 3, 4])).toEqual([0, 2]);
  });
});

describe('names', () => {
  test('beside lines never touch, keep their order, and stay near', () => {
    const heights = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 8 });
    fc.assert(
      fc.property(heights, (wanted) => {
        const placed = spread(wanted, { gap: 16, min: 14, max: 300 });
        const order = wanted
          .map((height, index) => ({ height, index }))
          .sort((a, b) => a.height - b.height || a.index - b.index);
        let before = Number.NEGATIVE_INFINITY;
        for (const { index } of order) {
          const height = placed[index] ?? 0;
          expect(height - before).toBeGreaterThan(15.999);
          expect(height).toBeGreaterThan(13.999);
          expect(height).toBeLessThan(300.001);
          before = height;
        }
      }),
    );
  });

  test('that have room stay where they are; two at one place part around it', () => {
    const options = { gap: 16, min: 0, max: 300 };
    expect(spread([200, 20, 100], options)).toEqual([200, 20, 100]);
    expect(spread([100, 100], options)).toEqual([92, 108]);
    expect(spread([2, 2, 2], options)).toEqual([0, 16, 32]);
    expect(spread([], options)).toEqual([]);
  });

  test('below an axis are thinned evenly until none touch', () => {
    const names = Array.from({ length: 10 }, (_, index) => ({ x: index * 20, width: 30 }));
    expect(thinned(names, 12).map(({ x }) => x)).toEqual([0, 60, 120, 180]);
    expect(thinned(names.slice(0, 1), 12)).toHaveLength(1);
    expect(thinned([], 12)).toEqual([]);
  });
});

test('a scale of intervals has every number, zero and a little room', () => {
  expect(scaleOf([0.2, null, 0.5])).toEqual({ min: 0, max: 0.525 });
  expect(scaleOf([-0.5, 0.5])).toEqual({ min: -0.55, max: 0.55 });
  expect(linear([2, 2], [10, 50])(7)).toBe(10);
});

test('shares are of the sum of the day; a day of nothing has none', () => {
  expect(
    sharesOf([
      [1, 0],
      [3, 0],
    ]),
  ).toEqual([
    [0.25, null],
    [0.75, null],
  ]);
});

test('each step of a waterfall starts where the one before ended', () => {
  const steps = [
    { amount: 100, isTotal: true },
    { amount: 50 },
    { amount: -30 },
    { amount: 120, isTotal: true },
  ];
  expect(spansOf(steps)).toEqual([
    { from: 0, to: 100 },
    { from: 100, to: 150 },
    { from: 150, to: 120 },
    { from: 0, to: 120 },
  ]);
});

describe('a tooltip', () => {
  const base = {
    size: { width: 200, height: 100 },
    room: { width: 700, height: 348 },
    top: 32,
    bottom: 324,
    pointer: undefined,
    points: [],
  };

  test('is never under the pointer, nor outside of the picture', () => {
    fc.assert(
      fc.property(
        fc.record({
          lineX: fc.integer({ min: 40, max: 660 }),
          pointer: fc.record({
            x: fc.integer({ min: 0, max: 700 }),
            y: fc.integer({ min: 0, max: 348 }),
          }),
        }),
        ({ lineX, pointer }) => {
          const near = {
            x: Math.max(0, Math.min(700, lineX + (pointer.x % 40) - 20)),
            y: pointer.y,
          };
          const { left, top } = tooltipPlace({ ...base, lineX, pointer: near });
          const isUnder = near.x >= left && near.x <= left + 200;
          expect(isUnder).toBe(false);
          expect(left).toBeGreaterThanOrEqual(0);
          expect(left + 200).toBeLessThanOrEqual(700);
          expect(top).toBeGreaterThanOrEqual(32);
          expect(top + 100).toBeLessThanOrEqual(324);
        },
      ),
    );
  });

  test('covers the fewest points', () => {
    const low = Array.from({ length: 20 }, (_, index) => ({ x: 100 + index * 20, y: 300 }));
    expect(tooltipPlace({ ...base, lineX: 100, points: low }).top).toBe(128);
    const all = low.flatMap(({ x }) => [300, 180].map((y) => ({ x, y })));
    expect(tooltipPlace({ ...base, lineX: 100, points: all }).top).toBe(32);
    expect(tooltipPlace({ ...base, lineX: 100 }).top).toBe(224);
  });
});

test('keys move the crosshair and stop at the ends', () => {
  const move = (key: string, now?: number) => dayOfKey(key, now, { count: 28, stepBack: 7 });
  expect(move('ArrowLeft')).toBe(27);
  expect(move('ArrowRight')).toBe(0);
  expect(move('ArrowRight', 27)).toBe(27);
  expect(move('PageUp', 20)).toBe(13);
  expect(move('PageDown', 25)).toBe(27);
  expect(move('Home', 5)).toBe(0);
  expect(move('End', 5)).toBe(27);
  expect(move('x', 5)).toBeUndefined();
  expect(dayOfKey('End', undefined, { count: 0, stepBack: 7 })).toBeUndefined();
});

describe('the columns of a funnel', () => {
  const group = (key: string, rates: readonly (number | null)[]) => ({
    key,
    name: key,
    steps: rates.map((rate) => ({ people: (rate ?? 0) * 100, rate, low: null, high: null })),
  });

  test('have the measures of the picture', () => {
    const frame = columnsFrame(1110, { steps: 4, groups: 3 });
    expect(frame).toMatchObject({ left: 44, right: 1106, bar: 60, pitch: 265.5 });
    expect(frame.starts).toEqual([68, 333.5, 599, 864.5]);
    expect([frame.y(1), frame.y(0.5), frame.y(0)]).toEqual([24, 144, 264]);
  });

  test('never overlap, whatever the width', () => {
    for (const width of [280, 390, 700, 1110]) {
      for (const groups of [1, 3, 6]) {
        const frame = columnsFrame(width, { steps: 4, groups });
        const all = Array.from({ length: groups }, (_, index) =>
          group(`${index}`, [1, 0.5, 0.4, 0.1]),
        );
        const boxes = columnBoxes(all, frame, slotOf);
        expect(boxes).toHaveLength(4 * groups);
        boxes.slice(1).forEach((box, index) => {
          expect(box.x).toBeGreaterThanOrEqual((boxes[index]?.x ?? 0) + frame.bar);
        });
      }
    }
  });

  test('know what was lost since the step before', () => {
    const frame = columnsFrame(1110, { steps: 3, groups: 1 });
    const boxes = columnBoxes([group('all', [null, 0.5, 0.2])], frame, slotOf);
    expect(boxes.map(({ rate, before }) => [before, rate])).toEqual([
      [1, 1],
      [1, 0.5],
      [0.5, 0.2],
    ]);
    expect(boxes.at(-1)?.lost).toBe(30);
  });
});
