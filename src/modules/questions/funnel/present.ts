import type { GroupTally } from '../../../query/funnel/model.ts';
import { NO_RATE, rate, rateWithInterval } from '../../../shared/statistics/rates.ts';
import { at } from '../../../shared/assert.ts';
import type { GroupFigures, StepFigures } from './answer.model.ts';
import type { Funnel } from '../../funnels/index.ts';
import { judge, judgeSteps } from '../../../shared/statistics/verdict.ts';

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

type FunnelStep = Funnel['steps'][number];

function identity(step: FunnelStep, index: number) {
  return { index: index + 1, event: step.event, label: step.label, where: step.where ?? null };
}

function stepFigures(tally: GroupTally, index: number) {
  const people = at(tally.people, index);
  const previous = index === 0 ? null : at(tally.people, index - 1);
  const fromPrevious = previous === null ? NO_RATE : rateWithInterval(people, previous);
  return {
    people,
    rateFromPrevious: fromPrevious.rate,
    rateFromStart: rate(people, at(tally.people, 0)),
    rateFromPreviousLow: fromPrevious.rateLow,
    rateFromPreviousHigh: fromPrevious.rateHigh,
    medianSecondsFromPrevious: at(tally.medianSecondsFromPrevious, index),
    medianSecondsFromStart: at(tally.medianSecondsFromStart, index),
    dropped: previous === null ? 0 : previous - people,
  };
}

type StepTally = Omit<StepFigures, 'event' | 'index' | 'label' | 'where'>;
export type TallyFigures = Omit<GroupFigures, 'steps'> & { steps: StepTally[] };

export function tallyFigures(tally: GroupTally): TallyFigures {
  const people = at(tally.people, 0);
  const verdict = judge(people);
  if (verdict !== 'ready') {
    return {
      people,
      verdict,
      steps: tally.people.map(() => NO_STEP_FIGURES),
      overall: { ...NO_RATE, medianSeconds: null },
    };
  }
  const last = tally.people.length - 1;
  const verdicts = judgeSteps(tally.people);
  return {
    people,
    verdict,
    steps: tally.people.map((_, index) => ({
      ...stepFigures(tally, index),
      verdict: at(verdicts, index),
    })),
    overall: {
      ...rateWithInterval(at(tally.people, last), people),
      medianSeconds: at(tally.medianSecondsFromStart, last),
    },
  };
}

export const identified = <T extends TallyFigures>(steps: readonly FunnelStep[], figures: T) => ({
  ...figures,
  steps: steps.map((step, index) => ({ ...identity(step, index), ...at(figures.steps, index) })),
});

export const groupFigures = (steps: readonly FunnelStep[], tally: GroupTally): GroupFigures =>
  identified(steps, tallyFigures(tally));
