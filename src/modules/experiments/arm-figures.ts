import { rate, wilson } from '../funnels/rules/statistics.ts';
import { judge } from '../funnels/rules/verdict.ts';
import type { Arm } from './model.ts';
import type { ArmFigures } from './report.model.ts';

const NOTHING = { converted: null, rate: null, rateLow: null, rateHigh: null };

/**
 * What is said of an arm: nothing but its size under fifty people. `converted` is null when there
 * is no funnel to convert in.
 */
export function armFigures(arm: Arm, people: number, converted: number | null): ArmFigures {
  const verdict = judge(people);
  if (verdict !== 'ready' || converted === null) return { ...arm, people, verdict, ...NOTHING };
  const interval = wilson(converted, people);
  return {
    ...arm,
    people,
    verdict,
    converted,
    rate: rate(converted, people),
    rateLow: interval?.low ?? null,
    rateHigh: interval?.high ?? null,
  };
}
