import { at } from '../../shared/assert.ts';
import type { Share } from '../reading/projection/share.ts';
import { type PartsCounting, shownByParts } from '../reading/shown-by-parts.ts';
import { brokenDown, type Shown } from '../reading/shown-values.ts';
import type { SeriesAnswer, SeriesCounts, SeriesQuestion } from './model.ts';
import { SeriesCounter } from './projected.ts';
import { questionDimensions, seriesNames, shownSeries } from './shown.ts';

export async function countByValue(
  counting: PartsCounting,
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
