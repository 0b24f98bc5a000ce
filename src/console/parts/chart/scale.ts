import { tickIncrement } from 'd3-array';
import type { Figure } from './types.ts';

const TICK_PX = 68;
const MAX_TICKS = 4;
const CROWDED = 7;

export type ValueAxis = { bottom: number; top: number; ticks: readonly number[] };

/** Whole steps where there are no halves. */
export function valueAxis(
  figures: Iterable<Figure>,
  options: { plotHeight: number; isWhole?: boolean },
): ValueAxis {
  let [low, high] = [0, 0];
  for (const figure of figures) {
    if (figure === null) continue;
    low = Math.min(low, figure);
    high = Math.max(high, figure);
  }
  if (low === high) high = 1;
  const count = Math.max(2, Math.min(MAX_TICKS, Math.round(options.plotHeight / TICK_PX)));
  const axisFor = (wanted: number) => {
    const increment = tickIncrement(low, high, wanted);
    return axisOf(low, high, options.isWhole && increment < 1 ? 1 : increment);
  };
  const axis = axisFor(count);
  return axis.ticks.length > CROWDED && count > 2 ? axisFor(count - 1) : axis;
}

/** Negative: of one over it, as d3 gives them. */
function axisOf(low: number, high: number, increment: number): ValueAxis {
  const at = (index: number) => (increment < 0 ? index / -increment : index * increment);
  const steps = (value: number) => (increment < 0 ? value * -increment : value / increment);
  const [first, last] = [Math.floor(steps(low)), Math.ceil(steps(high))];
  const all = Array.from({ length: last - first + 1 }, (_, index) => at(first + index));
  return { bottom: at(first), top: at(last), ticks: all };
}

export function linear(domain: readonly [number, number], range: readonly [number, number]) {
  const [from, to] = domain;
  const factor = to === from ? 0 : (range[1] - range[0]) / (to - from);
  return (value: number): number => range[0] + (value - from) * factor;
}

export function scaleOf(numbers: readonly Figure[]): { min: number; max: number } {
  const known = numbers.filter((number) => number !== null);
  const [min, max] = [Math.min(0, ...known), Math.max(0, ...known)];
  const room = (max - min || 1) * 0.05;
  return { min: min < 0 ? min - room : 0, max: max > 0 ? max + room : 0 };
}

export const round = (pixels: number): number => Math.round(pixels * 10) / 10;
export const box = (x: number, y: number, width: number, height: number) => ({
  ...{ x: round(x), y: round(y), width: round(width), height: round(height) },
});

/** The middle of a pixel, where a hairline is sharp. */
export const sharp = (pixels: number): number => Math.round(pixels) + 0.5;
