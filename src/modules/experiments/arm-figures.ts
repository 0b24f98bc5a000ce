import { rate, wilson } from '../../query/funnel/statistics.ts';
import { judge } from '../funnels/index.ts';
import type { Arm } from './model.ts';
import type { ArmFigures } from './report.model.ts';

const NOTHING = { converted: null, rate: null, rateLow: null, rateHigh: null };

export type ArmCounts = {
  people: number;
  /** Null when there is no funnel to convert in. */
  converted: number | null;
};

/**
 * What is said of an arm: nothing but its size under fifty people, or where nobody of any arm
 * entered the funnel: no rate can be told from a funnel that the exposed do not go through.
 */
export function armFigures(
  arm: Arm,
  { people, converted }: ArmCounts,
  isFunnelEntered: boolean,
): ArmFigures {
  const size = judge(people);
  const verdict = size === 'ready' && !isFunnelEntered ? 'no_data' : size;
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
