import { at } from '../../../shared/assert.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';

export type FigurePoint = {
  fromMs: number;
  toMs: number;
  value: number | null;
  /** Distinct people behind it; entrants of a share. */
  people: number;
};

/** Chance variation of a number of people or events, a total, a share of people, a statistic. */
export type Scale = 'count' | 'share' | 'sum' | 'value';

export type Change =
  | { verdict: 'too_few_people' | 'too_short_a_past'; usual: null }
  | {
      verdict: 'within' | 'above' | 'below';
      usual: number;
    };

const WEEKS = 4;
const FEWEST_WEEKS = 2;
/** Past differences from the usual value, whose spread is what happens without a cause. */
const MOST_DIFFERENCES = 28;
export const FEWEST_DIFFERENCES = 14;
/** More than the 3.5 of insights, since the spread is estimated from a few weeks. */
const DEVIATIONS = 4;
/** Smaller changes are daily noise, as in insights. */
const LEAST_CHANGE = 0.1;

/** Intervals that a change is judged by, the judged one included. */
export const pointsNeeded = (lag: number): number => WEEKS * lag + MOST_DIFFERENCES + 1;

const ofSorted = (sorted: readonly number[]): number => {
  const middle = (sorted.length - 1) / 2;
  return (at(sorted, Math.floor(middle)) + at(sorted, Math.ceil(middle))) / 2;
};
const median = (values: readonly number[]): number => ofSorted(values.toSorted((a, b) => a - b));

/** Busy and quiet days differ alike: logarithms, and for shares the angle of Anscombe. */
function scaled({ value, people }: FigurePoint, scale: Scale): number | null {
  if (value === null) return null;
  if (scale === 'count') return Math.log(value + 0.5);
  if (scale === 'share') {
    return Math.asin(Math.sqrt((value * people + 0.375) / (people + 0.75)));
  }
  if (value === 0 && scale === 'sum') return -Infinity;
  return value > 0 ? Math.log(value) : null;
}

function plain(scaledValue: number, scale: Scale): number {
  if (scale === 'count') return Math.max(0, Math.exp(scaledValue) - 0.5);
  if (scale === 'share') return Math.sin(Math.max(0, Math.min(Math.PI / 2, scaledValue))) ** 2;
  return Math.exp(scaledValue);
}

const isKnown = (value: number | null | undefined): value is number =>
  value != null && value > -Infinity;

type Usual = { scaled: number; people: number };

/** Mean of the same weekday of the weeks before; null where too few are known. */
function usualAt(
  points: readonly FigurePoint[],
  index: number,
  { scale, lag }: { scale: Scale; lag: number },
): Usual | null {
  const before = Array.from({ length: WEEKS }, (_, week) => points[index - lag * (week + 1)]);
  const known = before.flatMap((point) => {
    const value = point && scaled(point, scale);
    return point && isKnown(value) ? [{ scaled: value, people: point.people }] : [];
  });
  if (known.length < FEWEST_WEEKS) return null;
  return {
    scaled: median(known.map((point) => point.scaled)),
    people: median(known.map(({ people }) => people)),
  };
}

/** Variance of the difference by chance alone, for as many people. */
function toChance({ people }: Usual, now: FigurePoint, scale: Scale): number {
  if (scale === 'count' || scale === 'sum') return 1.5 / people;
  const parts = 1 / now.people + 0.5 / people;
  return scale === 'share' ? parts / 4 : parts;
}

/** Student's t at the probability of `DEVIATIONS`, to the second order (Cornish and Fisher). */
function deviationsNeeded(degrees: number): number {
  const z = DEVIATIONS;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  return z + first / degrees + second / degrees ** 2;
}

function toSpread(differences: readonly number[]): { mean: number; deviation: number } {
  const count = differences.length;
  const mean = differences.reduce((sum, one) => sum + one, 0) / count;
  const squares = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt((squares / (count - 1)) * (1 + 1 / count)) };
}

/** By how much the past differed from its own weekday before. */
export function judgeChange(
  all: readonly FigurePoint[],
  of: { scale: Scale; lag: number },
): Change {
  const points = all.slice(
    Math.max(
      0,
      all.findIndex(({ people }) => people > 0),
    ),
  );
  const last = points.length - 1;
  const now = at(points, last);
  const judged = scaled(now, of.scale);
  const usual = usualAt(points, last, of);
  if (usual && usual.people < MINIMUM_PEOPLE) return { verdict: 'too_few_people', usual: null };
  if (usual && judged === null) return { verdict: 'too_few_people', usual: null };
  const differences = points.slice(0, last).flatMap((point, index) => {
    const value = scaled(point, of.scale);
    const before = usualAt(points, index, of);
    return isKnown(value) && before !== null ? [value - before.scaled] : [];
  });
  const known = differences.slice(-MOST_DIFFERENCES);
  if (!usual || judged === null || known.length < FEWEST_DIFFERENCES) {
    return { verdict: 'too_short_a_past', usual: null };
  }
  const { mean, deviation } = toSpread(known);
  const expected = usual.scaled + mean;
  const difference = judged - expected;
  const spread = Math.max(deviation, Math.sqrt(toChance(usual, now, of.scale)));
  const isBeyond = Math.abs(difference) >= deviationsNeeded(known.length - 1) * spread;
  const shown = plain(expected, of.scale);
  const isSmall = Math.abs(plain(judged, of.scale) - shown) < LEAST_CHANGE * shown;
  if (isSmall || !isBeyond) return { verdict: 'within', usual: shown };
  return { verdict: difference > 0 ? 'above' : 'below', usual: shown };
}
