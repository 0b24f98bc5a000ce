export const MIN_EXPOSURES = 100;
/** A smaller probability means a broken split. */
export const SUSPICIOUS_P = 0.001;

/** Complementary error function; |error| < 1.2e-7 (Numerical Recipes, 6.2). */
function erfc(x: number): number {
  const t = 1 / (1 + 0.5 * Math.abs(x));
  const coefficients = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398,
    1.48851587, -0.82215223, 0.17087277,
  ];
  const series = coefficients.reduceRight((sum, coefficient) => sum * t + coefficient, 0);
  const tail = t * Math.exp(-x * x + series);
  return x >= 0 ? tail : 2 - tail;
}

/** By exact recurrence; five degrees of freedom at most. */
export function chiSquareTail(value: number, degrees: number): number {
  if (value <= 0) return 1;
  const half = value / 2;
  if (degrees === 1) return erfc(Math.sqrt(half));
  if (degrees === 2) return Math.exp(-half);
  const order = (degrees - 2) / 2;
  const term = Math.exp(order * Math.log(half) - half - logGamma(order + 1));
  return chiSquareTail(value, degrees - 2) + term;
}

function logGamma(x: number): number {
  if (x === 1) return 0;
  if (x === 0.5) return Math.log(Math.PI) / 2;
  return Math.log(x - 1) + logGamma(x - 1);
}

export type SampleRatio = {
  pValue: number | null;
  verdict: 'too_few_people' | 'as_expected' | 'do_not_trust';
};

/** A broken split invalidates every figure. */
export function checkSampleRatio(arms: readonly { weight: number; people: number }[]): SampleRatio {
  const people = arms.reduce((sum, arm) => sum + arm.people, 0);
  if (people < MIN_EXPOSURES) return { pValue: null, verdict: 'too_few_people' };
  const weights = arms.reduce((sum, arm) => sum + arm.weight, 0);
  const distance = arms.reduce((sum, arm) => {
    const expected = (people * arm.weight) / weights;
    return sum + (arm.people - expected) ** 2 / expected;
  }, 0);
  const pValue = chiSquareTail(distance, arms.length - 1);
  return { pValue, verdict: pValue < SUSPICIOUS_P ? 'do_not_trust' : 'as_expected' };
}
