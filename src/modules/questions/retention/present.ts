import type { RetentionAnswer, RetentionRules } from '../../../query/retention/model.ts';
import { at } from '../../../shared/assert.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { judge } from '../../../shared/statistics/verdict.ts';
import { NO_RATE, rateWithInterval } from '../../../shared/statistics/rates.ts';
import type { RetentionCell, RetentionReport } from './answer.model.ts';

export type Periods = {
  boundariesMs: readonly number[];
  nowMs: number;
  question: Pick<RetentionRules, 'periodUs'>;
};

/** For everybody of a cohort. */
function isOver({ boundariesMs, nowMs, question }: Periods, cohort: number, period: number) {
  if (question.periodUs === null) {
    const end = boundariesMs[cohort + period + 1];
    return end !== undefined && end <= nowMs;
  }
  const lastStartMs = at(boundariesMs, cohort + 1);
  return lastStartMs + ((period + 1) * question.periodUs) / 1_000 <= nowMs;
}

function toCell(returned: number, size: number, isShown: boolean): RetentionCell {
  if (!isShown) return { returned: null, ...NO_RATE };
  return {
    returned,
    ...(size < MINIMUM_PEOPLE ? NO_RATE : rateWithInterval(returned, size)),
  };
}

function toMean(
  all: Periods,
  cohorts: RetentionAnswer['cohorts'],
  period: number,
  isShown: boolean,
): RetentionCell {
  const over = cohorts.filter((_, cohort) => isOver(all, cohort, period));
  if (over.length === 0) return null;
  const size = over.reduce((sum, cohort) => sum + cohort.size, 0);
  const returned = over.reduce((sum, cohort) => sum + at(cohort.returned, period - 1), 0);
  return toCell(returned, size, isShown);
}

/**
 * Unfinished is null, never 0. Mean: Σ returned ÷ Σ size over finished cohorts; nothing under
 * fifty.
 */
export function cohortFigures(
  all: Periods,
  { people, cohorts }: Pick<RetentionAnswer, 'cohorts' | 'people'>,
  periods: number,
): Pick<RetentionReport, 'cohorts' | 'mean'> {
  const { boundariesMs, nowMs } = all;
  const isShown = judge(people) === 'ready';
  const numbers = Array.from({ length: periods }, (_, index) => index + 1);
  return {
    cohorts: cohorts.map(({ size, returned }, cohort) => ({
      from: new Date(at(boundariesMs, cohort)).toISOString(),
      people: size,
      verdict: judge(size),
      ...(at(boundariesMs, cohort + 1) > nowMs && { partial: true as const }),
      periods: numbers.map((period) =>
        isOver(all, cohort, period) ? toCell(at(returned, period - 1), size, isShown) : null,
      ),
    })),
    mean: numbers.map((period) => toMean(all, cohorts, period, isShown)),
  };
}
