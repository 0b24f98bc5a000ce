import { at } from '../../shared/assert.ts';

export const MAX_NUMBER_RANGES = 10;

/** Below the first bound, from each bound up to the next, and from the last one on. */
export function rangeTexts(bounds: readonly number[]): string[] {
  const [first] = bounds;
  if (first === undefined) return ['any number'];
  return [
    `below ${first}`,
    ...bounds.slice(1).map((bound, index) => `${at(bounds, index)} to ${bound}`),
    `${at(bounds, bounds.length - 1)} or more`,
  ];
}

export const toRangeText = (bounds: readonly number[], value: number): string =>
  at(rangeTexts(bounds), bounds.findLastIndex((bound) => bound <= value) + 1);

/** 1, 2 and 5 times powers of ten, the largest first. */
const STEPS = Array.from({ length: 80 }, (_, index) => 40 - index).flatMap((power) =>
  [5, 2, 1].map((digit) => Number(`${digit}e${power}`)),
);
/** Multiples of a step without the noise of floating point. */
const DIGITS = 12;

/** The roundest number from `low` to `high`; of several the nearest, of two as near the lower. */
function roundest(value: number, low: number, high: number): number {
  for (const step of STEPS) {
    const near = Math.round(value / step);
    const found = [near - 1, near, near + 1]
      .map((times) => Number((times * step).toPrecision(DIGITS)))
      .filter((one) => one >= low && one <= high)
      .toSorted((a, b) => Math.abs(a - value) - Math.abs(b - value));
    if (found[0] !== undefined) return found[0];
  }
  return value;
}

/**
 * As round as can be without coming nearer to another quantile than to its own. `least` is where
 * the first range begins.
 */
export function roundBounds(
  quantiles: readonly number[],
  { least, most }: { least: number; most: number },
): number[] {
  const bounds = quantiles.map((value, index) => {
    const [before, after] = [quantiles[index - 1] ?? least, quantiles[index + 1] ?? most];
    return roundest(value, (before + value) / 2, (value + after) / 2);
  });
  return [...new Set(bounds)].filter((bound) => bound > least && bound <= most);
}
