import { isAlwaysShown, type Shown } from '../reading/shown-values.ts';
import type { Dimension } from '../selection/dimension.ts';
import type { SeriesAnswer, SeriesQuestion } from './model.ts';

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
