import { at } from '../../shared/assert.ts';
import type { Share } from '../reading/projection/share.ts';
import type { CountParts } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import { brokenDown, MAX_BREAKDOWN_VALUES, type Shown } from '../reading/shown-values.ts';
import { type Dimension, givenValues } from '../selection/dimension.ts';
import type { SeriesAnswer, SeriesCounts, SeriesQuestion } from './model.ts';
import { type RankedValues, SeriesCounter, ValueCounter } from './projected.ts';
import { questionDimensions, seriesNames, shownSeries } from './shown.ts';

/** The values of most of the events that are meant. */
export function shownByParts(
  countParts: CountParts,
  by: Dimension,
  meant: Omit<RankedValues, 'rankedBy'>,
): Promise<Shown | null> {
  const given = givenValues(by);
  if (given) return Promise.resolve({ by, values: given, others: 0 });
  return countParts((share) => {
    const task = { ...meant, rankedBy: by };
    const counter = new ValueCounter(share, task);
    const answer = (): Shown => {
      const ranked = counter.ranked();
      const values = ranked.slice(0, MAX_BREAKDOWN_VALUES);
      return { by, values, others: ranked.length - values.length };
    };
    return { counter, task: { kind: 'series' as const, question: task }, answer };
  });
}

/** By projections; null where these turn out not to know. */
export async function countByValue(
  { source }: QueryRun,
  question: SeriesQuestion,
  countParts: CountParts,
): Promise<SeriesAnswer | null> {
  const { boundariesUs, ranges, names, filters, where, valuesFrom } = question;
  const fromUs = at(boundariesUs, valuesFrom);
  const beforeUs = at(boundariesUs, boundariesUs.length - 1);
  const shown: Shown[] = [];
  for (const by of questionDimensions(question)) {
    const meant = { names, filters, where, fromUs, beforeUs };
    const found = await shownByParts(countParts, by, meant);
    if (found === null) return null;
    shown.push(found);
  }
  const values = shown.map(({ by, values }) => ({ by, shown: values }));
  return countParts((share: Share) => {
    const counted = share.parts.map(() => true);
    const asked = { boundariesUs, ranges, names, filters, where };
    const task = { ...asked, counted, values, selections: null };
    const counter = new SeriesCounter(share, task);
    const answer = (): SeriesAnswer => {
      const { total, series } = counter.counts();
      const found = seriesNames(shown).map((name, index): SeriesAnswer['series'][number] => {
        const counts: SeriesCounts = at(series, index);
        return { ...name, ...counts };
      });
      const { dataThroughMs } = source;
      return {
        dataThroughMs,
        total,
        series: shownSeries(found, shown),
        brokenDown: shown.map(brokenDown),
      };
    };
    return { counter, task: { kind: 'series' as const, question: task }, answer };
  });
}
