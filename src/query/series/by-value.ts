import { at } from '../../shared/assert.ts';
import type { Share } from '../reading/projection/share.ts';
import {
  brokenDown,
  type Shown,
  isAlwaysShown,
  type PartsCounting,
  shownByParts,
} from '../reading/shown-values.ts';
import type { Dimension } from '../selection/dimension.ts';
import type { SeriesAnswer, SeriesQuestion } from './model.ts';
import { startCounting } from './projected.ts';

export const questionDimensions = ({
  breakdown,
  crossed,
}: Pick<SeriesQuestion, 'breakdown' | 'crossed'>): Dimension[] => [
  ...(breakdown ? [breakdown] : []),
  ...(crossed ? [crossed] : []),
];

export function seriesNames(
  shown: readonly Shown[],
): { value: string | null; crossed?: string | null }[] {
  const [first = [], second] = shown.map(({ values }) => [...values, null]);
  if (!second) return first.map((value) => ({ value }));
  return first.flatMap((value) => second.map((crossed) => ({ value, crossed })));
}

/** Without pairs, a rest and missing numbers that no event has. */
export function shownSeries(
  series: SeriesAnswer['series'],
  shown: readonly Shown[],
): SeriesAnswer['series'] {
  const [only, second] = shown;
  const isKept = (value: string | null) =>
    only !== undefined && second === undefined && isAlwaysShown(only, value);
  return series.filter(({ value, events }) => isKept(value) || events.some((count) => count > 0));
}

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
