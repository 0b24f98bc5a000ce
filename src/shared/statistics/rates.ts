import { must } from '../assert.ts';

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

export const NO_RATE = { rate: null, rateLow: null, rateHigh: null };

export function rateWithInterval(part: number, whole: number) {
  const interval = wilson(part, whole);
  return {
    rate: rate(part, whole),
    rateLow: interval?.low ?? null,
    rateHigh: interval?.high ?? null,
  };
}
