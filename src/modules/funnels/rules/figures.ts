import { rate, wilson } from '../../../query/funnel/statistics.ts';
import type { TallyFigures } from '../../../query/funnel/tally.ts';
import type { FunnelStep } from '../model.ts';
import type { OverallFigures, StepFigures } from '../report.model.ts';
import { judge, judgeSteps, type Verdict } from './verdict.ts';

export type GroupFigures = {
  people: number;
  verdict: Verdict;
  steps: StepFigures[];
  overall: OverallFigures;
};

const NO_STEP_FIGURES = {
  people: null,
  rateFromPrevious: null,
  rateFromStart: null,
  rateFromPreviousLow: null,
  rateFromPreviousHigh: null,
  medianSecondsFromPrevious: null,
  medianSecondsFromStart: null,
  dropped: null,
  verdict: null,
};

const NO_OVERALL: OverallFigures = {
  rate: null,
  rateLow: null,
  rateHigh: null,
  medianSeconds: null,
};

function identity(step: FunnelStep, index: number) {
  return { index: index + 1, event: step.event, label: step.label, where: step.where ?? null };
}

/** The overall rate from first to last step; refused with the rest. */
export function overallFigures(tally: TallyFigures): OverallFigures {
  const entered = tally.people[0] ?? 0;
  if (judge(entered) !== 'ready') return NO_OVERALL;
  const finished = tally.people.at(-1) ?? 0;
  const interval = wilson(finished, entered);
  return {
    rate: rate(finished, entered),
    rateLow: interval?.low ?? null,
    rateHigh: interval?.high ?? null,
    medianSeconds: tally.medianSecondsFromStart.at(-1) ?? null,
  };
}

/** Every figure of a group of people, or none of them when the group is too small. */
export function groupFigures(steps: readonly FunnelStep[], tally: TallyFigures): GroupFigures {
  const entered = tally.people[0] ?? 0;
  const verdict = judge(entered);
  if (verdict !== 'ready') {
    return {
      people: entered,
      verdict,
      steps: steps.map((step, index) => ({ ...identity(step, index), ...NO_STEP_FIGURES })),
      overall: NO_OVERALL,
    };
  }
  const verdicts = judgeSteps(tally.people);
  return {
    people: entered,
    verdict,
    steps: steps.map((step, index) => {
      const people = tally.people[index] ?? 0;
      const previous = index === 0 ? null : (tally.people[index - 1] ?? 0);
      const interval = previous === null ? null : wilson(people, previous);
      return {
        ...identity(step, index),
        people,
        rateFromPrevious: previous === null ? null : rate(people, previous),
        rateFromStart: rate(people, entered),
        rateFromPreviousLow: interval?.low ?? null,
        rateFromPreviousHigh: interval?.high ?? null,
        medianSecondsFromPrevious: tally.medianSecondsFromPrevious[index] ?? null,
        medianSecondsFromStart: tally.medianSecondsFromStart[index] ?? null,
        dropped: previous === null ? 0 : previous - people,
        verdict: verdicts[index] ?? null,
      };
    }),
    overall: overallFigures(tally),
  };
}
