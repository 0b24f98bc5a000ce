import { runsOf } from './places.ts';
import { round } from './scale.ts';
import type { Figure } from './types.ts';

type Y = (value: number) => number;
type Point = readonly [number, number];

const pointOf = (xs: readonly number[], index: number, y: number): Point => [
  round(xs[index] ?? 0),
  round(y),
];

const knownRuns = (count: number, isKnown: (index: number) => boolean): number[][] =>
  runsOf(count, isKnown).map(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  );

const through = (points: readonly Point[]): string => `M${points.join('L')}`;

export function linePath(xs: readonly number[], values: readonly Figure[], y: Y): string {
  return knownRuns(values.length, (index) => (values[index] ?? null) !== null)
    .map((run) => {
      const path = through(run.map((index) => pointOf(xs, index, y(values[index] ?? 0))));
      return run.length === 1 ? `${path}Z` : path;
    })
    .join('');
}

export function areaPath(xs: readonly number[], values: readonly Figure[], y: Y): string {
  return bandPath(
    xs,
    values.map((value) => (value === null ? null : 0)),
    values,
    y,
  );
}

export function bandPath(
  xs: readonly number[],
  low: readonly Figure[],
  high: readonly Figure[],
  y: Y,
): string {
  const isKnown = (index: number) =>
    (low[index] ?? null) !== null && (high[index] ?? null) !== null;
  return knownRuns(xs.length, isKnown)
    .map((run) => {
      const above = run.map((index) => pointOf(xs, index, y(high[index] ?? 0)));
      const below = run.map((index) => pointOf(xs, index, y(low[index] ?? 0)));
      return `${through([...above, ...below.toReversed()])}Z`;
    })
    .join('');
}

export function alone(values: readonly Figure[]): number[] {
  const isGap = (index: number) => (values[index] ?? null) === null;
  return [...values.keys()].filter(
    (index) => !isGap(index) && isGap(index - 1) && isGap(index + 1),
  );
}

/** Part after part, upwards; negative ones down. Unknown figures have no length. */
export function stacked(
  parts: readonly (readonly Figure[])[],
  options: { isDiverging: boolean },
): (readonly [number, number])[][] {
  const count = Math.max(0, ...parts.map(({ length }) => length));
  const ends = Array.from({ length: count }, () => ({ up: 0, down: 0 }));
  return parts.map((values) =>
    ends.map((end, day) => {
      const value = values[day] ?? 0;
      const side = options.isDiverging && value < 0 ? 'down' : 'up';
      const from = end[side];
      end[side] += value;
      return value < 0 && options.isDiverging ? [end[side], from] : [from, end[side]];
    }),
  );
}

export function sharesOf(parts: readonly (readonly number[])[]): Figure[][] {
  const count = Math.max(0, ...parts.map(({ length }) => length));
  const sums = Array.from({ length: count }, (_, day) =>
    parts.reduce((sum, values) => sum + (values[day] ?? 0), 0),
  );
  return parts.map((values) =>
    sums.map((sum, day) => (sum === 0 ? null : (values[day] ?? 0) / sum)),
  );
}
