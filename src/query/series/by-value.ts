import { at } from '../../shared/assert.ts';
import type { Part } from '../reading/projection/parts.ts';
import type { Share } from '../reading/projection/share.ts';
import type { CountParts } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import { brokenDown, MAX_BREAKDOWN_VALUES, type Shown } from '../reading/shown-values.ts';
import { type Dimension, givenValues } from '../selection/dimension.ts';
import type { SeriesAnswer, SeriesCounts, SeriesQuestion } from './model.ts';
import { type RankedValues, rankAtOnce, SeriesCounter, ValueCounter } from './projected.ts';
import { questionDimensions, seriesNames, shownSeries } from './shown.ts';

const shownOfRanked = (by: Dimension, ranked: readonly string[]): Shown => {
  const values = ranked.slice(0, MAX_BREAKDOWN_VALUES);
  return { by, values, others: ranked.length - values.length };
};

type Counting = { source: QueryRun['source']; parts: readonly Part[]; countParts: CountParts };

export async function shownByParts(
  { source: { environment }, parts, countParts }: Counting,
  by: Dimension,
  meant: Omit<RankedValues, 'rankedBy'>,
): Promise<Shown | null> {
  const given = givenValues(by);
  if (given) return { by, values: given, others: 0 };
  const task = { ...meant, rankedBy: by };
  const ranked = rankAtOnce({ parts, environment }, task);
  if (ranked !== null) return shownOfRanked(by, ranked);
  return countParts((share) => {
    const counter = new ValueCounter(share, task);
    const answer = () => shownOfRanked(by, counter.ranked());
    return { counter, task: { kind: 'series' as const, question: task }, answer };
  });
}

/** Null where projections turn out not to know. */
export async function countByValue(
  counting: Counting,
  question: SeriesQuestion,
): Promise<SeriesAnswer | null> {
  const { source, countParts } = counting;
  const { boundariesUs, ranges, names, filters, where, valuesFrom } = question;
  const fromUs = at(boundariesUs, valuesFrom);
  const beforeUs = at(boundariesUs, boundariesUs.length - 1);
  const shown: Shown[] = [];
  for (const by of questionDimensions(question)) {
    const meant = { names, filters, where, fromUs, beforeUs };
    const found = await shownByParts(counting, by, meant);
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
