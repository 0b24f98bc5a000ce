import { area, line, stack, stackOffsetDiverging, stackOffsetNone } from 'd3-shape';
import { round } from './scale.ts';
import type { Figure } from './types.ts';

type Y = (value: number) => number;
const pointOf = (xs: readonly number[], index: number): number => round(xs[index] ?? 0);

/** A line through what is known; a gap where nothing is. */
export function linePath(xs: readonly number[], values: readonly Figure[], y: Y): string {
  const draw = line<Figure>()
    .defined((value) => value !== null)
    .x((_, index) => pointOf(xs, index))
    .y((value) => round(y(value ?? 0)));
  return draw([...values]) ?? '';
}

/** From the line down to zero. */
export function areaPath(xs: readonly number[], values: readonly Figure[], y: Y): string {
  return bandPath(
    xs,
    values.map((value) => (value === null ? null : 0)),
    values,
    y,
  );
}

/** Between two figures a day; a gap where one of them is unknown. */
export function bandPath(
  xs: readonly number[],
  low: readonly Figure[],
  high: readonly Figure[],
  y: Y,
): string {
  const draw = area<number>()
    .defined((index) => (low[index] ?? null) !== null && (high[index] ?? null) !== null)
    .x((index) => pointOf(xs, index))
    .y0((index) => round(y(low[index] ?? 0)))
    .y1((index) => round(y(high[index] ?? 0)));
  return draw([...xs.keys()]) ?? '';
}

/** Days between two gaps: a dot each, since no line leads to them. */
export function alone(values: readonly Figure[]): number[] {
  const isGap = (index: number) => (values[index] ?? null) === null;
  return [...values.keys()].filter(
    (index) => !isGap(index) && isGap(index - 1) && isGap(index + 1),
  );
}

/**
 * Ends of each part of each day, part after part, from the line upwards; what is negative goes
 * down from it. Unknown figures have no length.
 */
export function stacked(
  parts: readonly (readonly Figure[])[],
  options: { isDiverging: boolean },
): (readonly [number, number])[][] {
  const count = Math.max(0, ...parts.map(({ length }) => length));
  const draw = stack<number, number>()
    .keys([...parts.keys()])
    .value((day, part) => parts[part]?.[day] ?? 0)
    .offset(options.isDiverging ? stackOffsetDiverging : stackOffsetNone);
  return draw(Array.from({ length: count }, (_, day) => day)).map((part) =>
    part.map(([from, to]) => [from, to] as const),
  );
}

/** Shares of the sum of a day; null where it is 0. */
export function sharesOf(parts: readonly (readonly number[])[]): Figure[][] {
  const count = Math.max(0, ...parts.map(({ length }) => length));
  const sums = Array.from({ length: count }, (_, day) =>
    parts.reduce((sum, values) => sum + (values[day] ?? 0), 0),
  );
  return parts.map((values) =>
    sums.map((sum, day) => (sum === 0 ? null : (values[day] ?? 0) / sum)),
  );
}
