import type { AppContext } from '../../context.ts';
import { toFilters } from '../events/index.ts';
import { firstBeginning } from '../funnels/index.ts';
import { type Forecast, forecast } from '../../shared/statistics/forecast.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import { forecastChange } from './rules/change.ts';
import type { EventSeries, SeriesQuery } from './series.model.ts';
import { parseNames } from './series.ts';

/** For ratios and changes, which need fifty people. */
export async function forecastSeries(
  ctx: AppContext<'queries'>,
  query: SeriesQuery,
  { window, totals, points, environment, computedAt }: EventSeries,
): Promise<Forecast | null> {
  const { previousPeople } = totals;
  const last = points.at(-1);
  const present = last?.partial ? last.people : 0;
  const people = Math.max(totals.people, present);
  const isCompared = previousPeople !== null;
  if (people >= MINIMUM_PEOPLE && (!isCompared || previousPeople >= MINIMUM_PEOPLE)) return null;
  const [fromMs, nowMs] = [Date.parse(window.from), Date.parse(computedAt)];
  const toMs = Date.parse(window.to);
  const firstMs = await firstBeginning(ctx, {
    names: parseNames(query.names),
    filters: toFilters(query),
    environment,
    fromMs,
    toMs,
  });
  const pace = { people, firstMs, fromMs, toMs, nowMs };
  if (people < MINIMUM_PEOPLE || previousPeople === null) return forecast(pace);
  const finishedMs = Date.parse(window.finishedThrough);
  const counts = { people: totals.people, present, previousPeople };
  return forecastChange({ ...pace, ...counts, finishedMs });
}
