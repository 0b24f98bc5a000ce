import { at } from '../../shared/assert.ts';
import type { Share } from '../reading/projection/share.ts';
import { type PartsCounting, shownByParts } from '../reading/shown-by-parts.ts';
import { brokenDown, type Shown } from '../reading/shown-values.ts';
import type { SeriesAnswer, SeriesQuestion } from './model.ts';
import { startCounting } from './projected.ts';
import { questionDimensions, seriesNames, shownSeries } from './shown.ts';

export async function countByValue(
  counting: PartsCounting,
  question: SeriesQuestion,
): Promise<SeriesAnswer | null> {
  const { source, countParts } = counting;
  const { boundariesUs, names, filters, where, valuesFrom } = question;
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
  return countParts((share: Share) =>
    startCounting({ source }, question, share, { values }, ({ total, series }) => {
      const found = seriesNames(shown).map((name, index) => ({ ...name, ...at(series, index) }));
      return { total, series: shownSeries(found, shown), brokenDown: shown.map(brokenDown) };
    }),
  );
}
