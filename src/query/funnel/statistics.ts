import { must, outside } from '../../shared/assert.ts';

const Z = 1.959963984540054;

export type Interval = { low: number; high: number };

/** Within 0..1; null without trials. */
export function wilson(successes: number, trials: number): Interval | null {
  if (trials <= 0) return null;
  const rate = successes / trials;
  const z2 = Z * Z;
  const centre = rate + z2 / (2 * trials);
  const spread = Z * Math.sqrt((rate * (1 - rate) + z2 / (4 * trials)) / trials);
  const scale = 1 + z2 / trials;
  return {
    // Rounding must not exceed what the formula gives at the ends.
    low: successes === 0 ? 0 : Math.max(0, (centre - spread) / scale),
    high: successes === trials ? 1 : Math.min(1, (centre + spread) / scale),
  };
}

/**
 * Newcombe's hybrid score, 95 % (Statistics in Medicine 17, 1998, method 10). Both need a trial.
 */
export function differenceOfRates(
  one: { part: number; whole: number },
  other: { part: number; whole: number },
): { difference: number; low: number; high: number } {
  const a = must(wilson(one.part, one.whole), 'a trial');
  const b = must(wilson(other.part, other.whole), 'a trial');
  const [p, q] = [one.part / one.whole, other.part / other.whole];
  return {
    difference: p - q,
    low: p - q - Math.hypot(p - a.low, b.high - q),
    high: p - q + Math.hypot(a.high - p, q - b.low),
  };
}

export function rate(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

function swap(values: Float64Array, a: number, b: number): void {
  const kept = values[a] ?? outside();
  values[a] = values[b] ?? outside();
  values[b] = kept;
}

function partition(values: Float64Array, low: number, high: number): [number, number] {
  const pivot = values[(low + high) >>> 1] ?? outside();
  let left = low;
  let right = high;
  while (left <= right) {
    while ((values[left] ?? outside()) < pivot) left += 1;
    while ((values[right] ?? outside()) > pivot) right -= 1;
    if (left > right) break;
    swap(values, left, right);
    left += 1;
    right -= 1;
  }
  return [right, left];
}

/** Rank is 0-based. Linear time. */
function select(values: Float64Array, rank: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const [right, left] = partition(values, low, high);
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else break;
  }
  return values[rank] ?? outside();
}

/** Reorders `values`. */
export function median(values: Float64Array): number | null {
  if (values.length === 0) return null;
  const upper = values.length >>> 1;
  const above = select(values, upper);
  if (values.length % 2 === 1) return above;
  let below = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < upper; index += 1)
    below = Math.max(below, values[index] ?? outside());
  return (below + above) / 2;
}
