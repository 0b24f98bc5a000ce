/**
 * Confidence sequence (Howard et al., arXiv 1810.08240) in the asymptotic form of arXiv 2103.06476,
 * equation 9, as in GrowthBook: daily looks together miss the true difference with probability α at
 * most.
 */

/** People at the narrowest interval; GrowthBook's default. */
const TUNED_FOR_PEOPLE = 5_000;

/** Share of experiments without a difference that name a winner. */
export const FALSE_WINNERS = 0.05;

export type Estimate = {
  people: number;
  mean: number;
  variance: number;
};

/**
 * One success and one failure added to the variance only (Agresti and Caffo): no certainty for an
 * arm at 0 or 100 %.
 */
export function rateEstimate(did: number, people: number): Estimate {
  const smoothed = (did + 1) / (people + 2);
  return { people, mean: did / people, variance: (smoothed * (1 - smoothed)) / people };
}

export type Sums = { people: number; sum: number; squares: number };

function spreadOf({ people, sum, squares }: Sums): number {
  const mean = sum / people;
  return Math.max(0, squares - people * mean * mean) / Math.max(1, people - 1);
}

/**
 * A small arm has seen few of the large amounts and takes itself for even: its spread is at least
 * that of all arms together.
 */
export function meanEstimate(own: Sums, all: Sums): Estimate {
  const { people, sum } = own;
  return { people, mean: sum / people, variance: Math.max(spreadOf(own), spreadOf(all)) / people };
}

export function intervalAlpha({ arms, metrics }: { arms: number; metrics: number }): number {
  return FALSE_WINNERS / ((arms - 1) * metrics);
}

export function halfWidth(variance: number, people: number, alpha: number): number {
  const logAlpha = -2 * Math.log(alpha);
  const rho2 = (logAlpha + Math.log(logAlpha + 1)) / TUNED_FOR_PEOPLE;
  const tuned = people * rho2;
  return Math.sqrt(((2 * (tuned + 1)) / tuned) * variance * Math.log(Math.sqrt(tuned + 1) / alpha));
}

export type Difference = { difference: number; low: number; high: number };

export function difference(control: Estimate, arm: Estimate, alpha: number): Difference {
  const change = arm.mean - control.mean;
  const half = halfWidth(control.variance + arm.variance, control.people + arm.people, alpha);
  return { difference: change, low: change - half, high: change + half };
}

/** Fewer make unequal arms find false winners. */
export const MINIMUM_CONVERSIONS = 20;

export type Conversions = { people: number; did: number };

/** At the pooled rate, so that an arm which stops converting is still judged. */
export function expectedConversions(control: Conversions, arm: Conversions): number {
  const rate = (control.did + arm.did) / (control.people + arm.people);
  return Math.min(control.people, arm.people) * Math.min(rate, 1 - rate);
}

const MOST_PEOPLE = 1e12;

export function peopleUntil(
  control: Estimate,
  arm: Estimate,
  alpha: number,
  target: number,
): number | null {
  const now = control.people + arm.people;
  const perPerson = (control.variance + arm.variance) * now;
  const isEnough = (people: number) => halfWidth(perPerson / people, people, alpha) <= target;
  return smallest(isEnough);
}

/** Expects a condition that stays true. */
export function smallest(holds: (people: number) => boolean): number | null {
  let high = 1;
  while (!holds(high)) {
    high *= 2;
    if (high > MOST_PEOPLE) return null;
  }
  let low = high / 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}
