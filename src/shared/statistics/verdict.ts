import { MINIMUM_PEOPLE } from './minimum.ts';
import { wilson } from './rates.ts';
import { at } from '../assert.ts';

export const VERDICTS = ['ready', 'too_few_people', 'no_data'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Also for breakdowns, trends, arms, insights and lists. */
export function judge(people: number): Verdict {
  if (people <= 0) return 'no_data';
  return people < MINIMUM_PEOPLE ? 'too_few_people' : 'ready';
}

export const STEP_VERDICTS = ['entry', 'healthy', 'leak', 'biggest_leak'] as const;
export type StepVerdict = (typeof STEP_VERDICTS)[number];

/** A step is a leak when the upper bound of `rateFromPrevious` is below. */
const LEAK_BELOW = 0.5;

/** The earlier at a tie; null where nobody could come through. */
export function judgeSteps(people: readonly number[]): (StepVerdict | null)[] {
  const lost = (step: number): number => at(people, step - 1) - at(people, step);
  const later = [...people.keys()].slice(1);
  const biggest = later.reduce<number | null>(
    (found, step) => (lost(step) > (found === null ? 0 : lost(found)) ? step : found),
    null,
  );
  return people.map((count, step) => {
    if (step === 0) return 'entry';
    if (step === biggest) return 'biggest_leak';
    const interval = wilson(count, at(people, step - 1));
    if (!interval) return null;
    return interval.high < LEAK_BELOW ? 'leak' : 'healthy';
  });
}
