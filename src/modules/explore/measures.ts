import type { AppContext } from '../../context.ts';
import {
  type MeasuresAnswer,
  type MeasuresQuestion,
  RELATIVE_ERROR,
} from '../../query/measures/model.ts';
import type { BrokenDown } from '../../query/selection/dimension.ts';
import { provenanceOf } from '../../query/selection/provenance.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { invalidInput } from '../../shared/errors.ts';
import { resolveTimezone } from '../app-settings/index.ts';
import { NOTHING_TO_COMPARE } from '../events/index.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import type { MeasuredSeries } from './measures.model.ts';
import type { WindowParameters } from './parameters.model.ts';
import { measuredFigures } from './rules/measures.ts';
import { shownWindow, toLayout, toRanges, toSeriesName } from './rules/series.ts';
import { resolveWindow, toBuckets } from './rules/window.ts';
import type { SeriesQuery } from './series.model.ts';
import { DEFAULT_SERIES_DAYS, isComparable, MAX_BUCKETS } from './series.ts';

export type WindowedMeasures = WindowParameters &
  Pick<SeriesQuery, 'compare' | 'interval'> &
  Pick<MeasuresQuestion, 'breakdown' | 'filters' | 'measure' | 'names' | 'where'>;

export async function measuredSeries(
  ctx: AppContext<'clock' | 'log' | 'queries' | 'sql'>,
  query: WindowedMeasures,
): Promise<MeasuredSeries & { brokenDown?: BrokenDown }> {
  const { interval = 'day', compare = true, environment = DEFAULT_SCOPE } = query;
  const { names, filters, where, measure, breakdown } = query;
  const now = ctx.deps.clock();
  const timezone = await resolveTimezone(ctx, query.timezone);
  const window = resolveWindow(query, DEFAULT_SERIES_DAYS[interval], timezone, now);
  const buckets = toBuckets(window, interval, { compare });
  if (buckets.boundariesMs.length > MAX_BUCKETS) {
    throw invalidInput('interval', 'makes too many points; use a longer one or fewer days');
  }
  const layout = toLayout(buckets, compare, false);
  const asked = ctx.deps.queries.ask(
    'measures',
    {
      ...{ orgId: ctx.orgId, appId: ctx.app.id, environment, names, filters, measure },
      ...(where && { where }),
      ...(breakdown && { breakdown, valuesFrom: buckets.first }),
      boundariesUs: buckets.boundariesMs.map((ms) => ms * 1_000),
      ranges: toRanges(layout),
    },
    { signal: ctx.signal },
  );
  const [answer, isCompared] = await Promise.all([
    asked,
    !compare || isComparable(ctx, layout, environment),
  ]);
  const figuresOf = (measured: MeasuresAnswer['measured']) => {
    const { totals, points } = measuredFigures({ measured }, measure, layout);
    return { totals: isCompared ? totals : { ...totals, change: null }, points };
  };
  const { brokenDown } = answer;
  return {
    window: shownWindow(layout),
    ...{ interval, timezone, environment, minimumPeople: MINIMUM_PEOPLE },
    ...figuresOf(answer.measured),
    relativeError: answer.relativeError === null ? null : RELATIVE_ERROR,
    ...(answer.series && {
      series: answer.series.map(({ value, measured }) => ({
        ...toSeriesName(value),
        ...figuresOf(measured),
      })),
    }),
    ...(brokenDown && { brokenDown }),
    computedAt: now.toISOString(),
    ...provenanceOf(answer),
    ...(!isCompared && { notice: NOTHING_TO_COMPARE }),
  };
}
