import type { AppContext } from '../../context.ts';
import { at } from '../../shared/assert.ts';
import { invalidInput } from '../../shared/errors.ts';
import { countedSeries, type WindowedSeries } from '../explore/index.ts';
import type { Answer } from './answer.model.ts';
import { type ResolvedBreakdown, resolveBreakdowns } from './breakdown.ts';
import type { SeriesQuestion } from './model.ts';
import type { Selection } from './selection.model.ts';
import { checkSelections, isByName, selectionKey } from './selections.ts';

/** The quickest form that says it. */
function toEvents(
  { series }: SeriesQuestion,
  [by, crossed]: readonly ResolvedBreakdown[],
): WindowedSeries['events'] {
  const [first, ...others] = series;
  const plain = { names: null, breakdown: null, filters: {} };
  if (first && others.length === 0 && (by || isOneName(first))) {
    return {
      ...plain,
      names: first.events ?? null,
      breakdown: by?.by ?? null,
      ...(crossed && { crossed: crossed.by }),
      ...(first.where && { where: first.where }),
    };
  }
  const names = series.flatMap(({ events = [] }) => events);
  const isEachOfAName = series.every((one) => isByName(one) && one.events !== undefined);
  if (isEachOfAName && new Set(names).size === names.length) return { ...plain, names };
  return { ...plain, selections: series };
}

type Named = Awaited<ReturnType<typeof countedSeries>>['series'][number];

const namedBy =
  ([first, second]: readonly ResolvedBreakdown[]) =>
  ({ key, crossed, ...figures }: Named): Named => ({
    key: first?.nameOf(key) ?? key,
    ...(crossed && { crossed: { ...crossed, key: second?.nameOf(crossed.key) ?? crossed.key } }),
    ...figures,
  });

const isOneName = ({ events }: Selection) => events === undefined || events.length === 1;

export async function answerSeries(
  ctx: AppContext<'clock' | 'latestExperiment' | 'log' | 'queries' | 'sql'>,
  question: SeriesQuestion,
): Promise<Extract<Answer, { kind: 'series' }>> {
  const { kind, series: selections, breakdown, ...window } = question;
  checkSelections(selections, 'series');
  if (breakdown !== undefined && selections.length > 1) {
    throw invalidInput('breakdown', 'needs one series');
  }
  const bys = await resolveBreakdowns(ctx, breakdown);
  const { brokenDown, ...counted } = await countedSeries(ctx, {
    ...window,
    events: toEvents(question, bys),
  });
  if (bys.length > 0) {
    return { kind, ...counted, series: counted.series.map(namedBy(bys)), breakdown: brokenDown };
  }
  const { totals, points, series } = counted;
  // One of any name is the total.
  const figures = series.length === 0 ? [{ totals, points }] : series;
  return {
    kind,
    ...counted,
    series: selections.map((selection, index) => ({
      ...{ key: selectionKey(selection), totals: at(figures, index).totals },
      points: at(figures, index).points,
    })),
  };
}
