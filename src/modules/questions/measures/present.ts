import type { Measure, Measured, MeasuresAnswer } from '../../../query/measures/model.ts';
import { at } from '../../../shared/assert.ts';
import { judge } from '../../../shared/statistics/verdict.ts';
import type { MeasuredSeries } from './answer.model.ts';
import { type Layout, SINGLES } from '../series/present.ts';
import { boundaryIso } from '../resolve/window.ts';

const COUNTS: ReadonlySet<Measure['of']> = new Set(['people', 'events', 'sessions']);

/** Counts and sums are always shown; a ratio or statistic of fewer than fifty people is withheld. */
function toShown(measure: Measure, measured: Measured): Measured {
  const isSum = measure.of === 'property' && measure.statistic === 'sum';
  if (isSum) return { ...measured, value: measured.value ?? 0 };
  const isShown = COUNTS.has(measure.of) || judge(measured.people) === 'ready';
  return isShown ? measured : { ...measured, value: null };
}

function toChange(now: Measured, before: Measured): number | null {
  if (now.value === null || before.value === null || judge(before.people) !== 'ready') return null;
  return before.value > 0 ? now.value / before.value - 1 : null;
}

export function measuredFigures(
  { measured }: Pick<MeasuresAnswer, 'measured'>,
  measure: Measure,
  { buckets, compare, finished }: Layout,
): Pick<MeasuredSeries, 'points' | 'totals'> {
  const rangeOf = (range: number): Measured => toShown(measure, at(measured, range));
  const [now, before] = [rangeOf(0), rangeOf(1)];
  const over = finished[1] - finished[0];
  return {
    totals: {
      ...now,
      previousValue: compare ? before.value : null,
      change: compare ? toChange(now, before) : null,
    },
    points: Array.from({ length: buckets.count }, (_, index) => {
      const bucket = buckets.first + index;
      const isOver = index < over;
      return {
        from: boundaryIso(buckets, bucket),
        ...rangeOf(SINGLES + bucket),
        ...(isOver && compare && { previousValue: rangeOf(SINGLES + bucket - over).value }),
        ...(!isOver && { partial: true as const }),
      };
    }),
  };
}
