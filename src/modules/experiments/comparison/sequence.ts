/**
 * Differences between two arms that one may look at every day. The interval is a confidence
 * sequence (Howard et al., arXiv 1810.08240) in the asymptotic form of Waudby-Smith et al.,
 * arXiv 2103.06476, equation 9, as GrowthBook documents it: over all looks together it misses the
 * true difference with probability α at most, so that stopping when it leaves zero is no cheating.
 */

/** The number of people at which the interval is narrowest; GrowthBook's default. */
const TUNED_FOR_PEOPLE = 5_000;

/** The share of experiments without any difference that may be called for one arm. */
export const FALSE_WINNERS = 0.05;

/** What an arm shows in one metric. */
export type Estimate = {
  people: number;
  mean: number;
  /** Of the mean. */
  variance: number;
};

/**
 * The share of people who did something. One success and one failure are added for the variance
 * alone (Agresti and Caffo), so that an arm in which nobody or everybody did it is not certain.
 */
export function rateEstimate(did: number, people: number): Estimate {
  const smoothed = (did + 1) / (people + 2);
  return { people, mean: did / people, variance: (smoothed * (1 - smoothed)) / people };
}

/** The mean of an amount per person, from its sum and the sum of its squares. */
export function meanEstimate(people: number, sum: number, squares: number): Estimate {
  const mean = sum / people;
  const spread = Math.max(0, squares - people * mean * mean) / Math.max(1, people - 1);
  return { people, mean, variance: spread / people };
}

/** The α of one interval, so that all of them together err in 5 % of experiments at most. */
export function alphaOf({ arms, metrics }: { arms: number; metrics: number }): number {
  return FALSE_WINNERS / ((arms - 1) * metrics);
}

/**
 * Half the width of the interval around a difference with this variance, between two arms of
 * `people` together.
 */
export function halfWidth(variance: number, people: number, alpha: number): number {
  const logAlpha = -2 * Math.log(alpha);
  const rho2 = (logAlpha + Math.log(logAlpha + 1)) / TUNED_FOR_PEOPLE;
  const tuned = people * rho2;
  return Math.sqrt(((2 * (tuned + 1)) / tuned) * variance * Math.log(Math.sqrt(tuned + 1) / alpha));
}

export type Difference = { difference: number; low: number; high: number };

/** Arm less control, with its confidence sequence. */
export function difference(control: Estimate, arm: Estimate, alpha: number): Difference {
  const change = arm.mean - control.mean;
  const half = halfWidth(control.variance + arm.variance, control.people + arm.people, alpha);
  return { difference: change, low: change - half, high: change + half };
}

/** With fewer the spread is that of a handful of people, and unequal arms have false winners. */
export const MINIMUM_CONVERSIONS = 20;

/** How many of an arm's people did it. */
export type Conversions = { people: number; did: number };

/**
 * Conversions of the smaller arm, at the rate of both together: so an arm in which nobody converts any
 * more is told all the same. Where nearly everybody converts, those who did not.
 */
export function expectedConversions(control: Conversions, arm: Conversions): number {
  const rate = (control.did + arm.did) / (control.people + arm.people);
  return Math.min(control.people, arm.people) * Math.min(rate, 1 - rate);
}

const MOST_PEOPLE = 1e12;

/**
 * How many people two arms need together until the interval is narrower than `target` on either
 * side, if the spread stays as it is; null for more than anybody has.
 */
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

/** The smallest whole number for which a condition holds that stays true from there on. */
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
