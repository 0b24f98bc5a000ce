import { at } from '../../shared/assert.ts';

/** Counts, from one star to five. */
export type Ratings = readonly number[];

export const LEAST_REVIEWS = 20;
/** Two-sided, for each look. */
export const LEVEL = 0.0005;
const EXACT_UP_TO = 40;

export const countOf = (ratings: Ratings): number => ratings.reduce((sum, count) => sum + count, 0);

const sumOf = (ratings: Ratings): number =>
  ratings.reduce((sum, count, index) => sum + count * index, 0);

export function meanOf(ratings: Ratings): number | null {
  const count = countOf(ratings);
  return count === 0 ? null : sumOf(ratings) / count + 1;
}

/** Abramowitz and Stegun 26.2.17, within 7.5e-8. */
function twoSidedNormal(deviations: number): number {
  const x = Math.abs(deviations);
  const t = 1 / (1 + 0.2316419 * x);
  const series =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (2 * series * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

function exactSums(all: Ratings, few: number): Float64Array {
  const width = 4 * few + 1;
  let ways = new Float64Array((few + 1) * width);
  ways[0] = 1;
  all.forEach((count, value) => {
    const next = new Float64Array(ways.length);
    let choices = 1;
    for (let taken = 0; taken <= Math.min(count, few); taken += 1) {
      for (let drawn = 0; drawn + taken <= few; drawn += 1) {
        const [from, to] = [drawn * width, (drawn + taken) * width + value * taken];
        for (let sum = 0; sum <= drawn * 4; sum += 1) {
          next[to + sum] = (next[to + sum] ?? 0) + (ways[from + sum] ?? 0) * choices;
        }
      }
      choices = (choices * (count - taken)) / (taken + 1);
    }
    ways = next;
  });
  const last = ways.subarray(few * width);
  const total = last.reduce((sum, each) => sum + each, 0);
  return last.map((each) => each / total);
}

export function permutationP(one: Ratings, other: Ratings): number {
  const [small, large] = countOf(one) <= countOf(other) ? [one, other] : [other, one];
  const all = small.map((count, index) => count + at(large, index));
  const [few, count] = [countOf(small), countOf(all)];
  const mean = sumOf(all) / count;
  const distance = Math.abs(sumOf(small) - few * mean);
  if (few <= EXACT_UP_TO) {
    const far = exactSums(all, few).reduce(
      (sum, share, drawn) => (Math.abs(drawn - few * mean) >= distance - 1e-9 ? sum + share : sum),
      0,
    );
    return Math.min(1, far);
  }
  const squares = all.reduce((sum, each, value) => sum + each * (value - mean) ** 2, 0);
  const spread = Math.sqrt((few * (count - few) * squares) / (count * (count - 1)));
  return spread === 0 ? 1 : Math.min(1, twoSidedNormal(distance / spread));
}

export type VersionRatings = { appVersion: string; ratings: Ratings };

export type VersionChange = {
  appVersion: string;
  reviews: number;
  mean: number;
  pValue: number;
  isBeyondChance: boolean;
};

export function againstBefore(
  versions: readonly VersionRatings[],
  index: number,
): VersionChange | null {
  const { ratings } = at(versions, index);
  if (countOf(ratings) < LEAST_REVIEWS) return null;
  const before = versions
    .slice(0, index)
    .findLast((version) => countOf(version.ratings) >= LEAST_REVIEWS);
  const mean = before && meanOf(before.ratings);
  if (!before || mean == null) return null;
  const pValue = permutationP(ratings, before.ratings);
  return {
    appVersion: before.appVersion,
    reviews: countOf(before.ratings),
    mean,
    pValue,
    isBeyondChance: pValue < LEVEL,
  };
}
