import type { AppContext } from '../../context.ts';
import { type BrokenDown, parseDimension } from '../../query/selection/dimension.ts';
import { provenanceOf } from '../../query/selection/provenance.ts';
import type { SeriesQuestion } from '../../query/series/model.ts';
import { at } from '../../shared/assert.ts';
import type { CalendarInterval } from '../../shared/calendar.ts';
import { DEFAULT_SCOPE, type EnvironmentScope } from '../../shared/environment.ts';
import { invalidInput } from '../../shared/errors.ts';
import { resolveTimezone } from '../app-settings/index.ts';
import { coversMost, NOTHING_TO_COMPARE, toFilters } from '../events/index.ts';
import { DEFAULT_WINDOW_DAYS, type WindowParameters } from './parameters.model.ts';
import {
  type Layout,
  LOOKBACK_DAYS,
  shownWindow,
  toActive,
  toFigures,
  toLayout,
  toNamedSeries,
  toRanges,
} from './rules/series.ts';
import { resolveWindow, toBuckets } from './rules/window.ts';
import type { EventSeries, SeriesFigures, SeriesQuery } from './series.model.ts';

export const DEFAULT_SERIES_DAYS: Readonly<Record<CalendarInterval, number>> = {
  hour: 2,
  day: DEFAULT_WINDOW_DAYS,
  week: 12 * 7,
  month: 364,
};
export const MAX_BUCKETS = 900;
const MAX_BUCKETS_OF_PAIRS = 128;

export function checkSeriesQuery(
  { interval = 'day', active, breakdown }: SeriesQuery,
  names: readonly string[] | null,
): void {
  const several = names !== null && names.length > 1;
  if (breakdown !== undefined && several) {
    throw invalidInput('breakdown', 'needs one name, or none for all events');
  }
  if (active && (interval !== 'day' || breakdown !== undefined || several)) {
    throw invalidInput('active', 'needs interval=day, at most one name and no breakdown');
  }
}

export const parseNames = (text: string | undefined): string[] | null =>
  text === undefined ? null : [...new Set(text.split(','))];

export function isComparable(
  ctx: AppContext<'queries' | 'sql'>,
  { buckets, previous }: Layout,
  environment: EnvironmentScope,
): Promise<boolean> {
  const [from, to] = previous;
  const [fromMs, toMs] = [at(buckets.boundariesMs, from), at(buckets.boundariesMs, to)];
  return coversMost(ctx, { fromMs, toMs, environment });
}

const NO_CHANGES = { peopleChange: null, eventsChange: null };

/** No growth against days before the app existed. */
function withoutChanges(figures: SeriesFigures, series: CountedSeries['series']) {
  const without = <T extends SeriesFigures>(of: T): T => ({
    ...of,
    totals: { ...of.totals, ...NO_CHANGES },
  });
  return { ...without(figures), series: series.map(without), notice: NOTHING_TO_COMPARE };
}

export type WindowedSeries = WindowParameters &
  Pick<SeriesQuery, 'active' | 'compare' | 'interval'> & {
    events: Pick<
      SeriesQuestion,
      'breakdown' | 'crossed' | 'filters' | 'names' | 'selections' | 'where'
    >;
  };

export type CountedSeries = Omit<EventSeries, 'series'> & {
  series: ReturnType<typeof toNamedSeries>;
  brokenDown: BrokenDown[];
};

export async function eventSeries(
  ctx: AppContext<'clock' | 'log' | 'queries' | 'sql'>,
  query: SeriesQuery,
): Promise<EventSeries> {
  const names = parseNames(query.names);
  checkSeriesQuery(query, names);
  const breakdown = query.breakdown === undefined ? null : parseDimension(query.breakdown);
  const events = { names, breakdown, filters: toFilters(query) };
  const { brokenDown: _, ...report } = await countedSeries(ctx, { ...query, events });
  return report;
}

/** Without the unfinished interval. */
export async function countedSeries(
  ctx: AppContext<'clock' | 'log' | 'queries' | 'sql'>,
  query: WindowedSeries,
): Promise<CountedSeries> {
  const { deps, orgId, app } = ctx;
  const { interval = 'day', compare = true, active = false, environment = DEFAULT_SCOPE } = query;
  const now = deps.clock();
  const timezone = await resolveTimezone(ctx, query.timezone);
  const window = resolveWindow(query, DEFAULT_SERIES_DAYS[interval], timezone, now);
  const lookback = active ? LOOKBACK_DAYS : 0;
  const buckets = toBuckets(window, interval, { compare, lookback });
  const most = query.events.crossed ? MAX_BUCKETS_OF_PAIRS : MAX_BUCKETS;
  if (buckets.boundariesMs.length > most) {
    throw invalidInput('interval', 'makes too many points; use a longer one or fewer days');
  }
  const layout = toLayout(buckets, compare, active);
  const asked = deps.queries.ask(
    'series',
    {
      orgId,
      appId: app.id,
      environment,
      boundariesUs: buckets.boundariesMs.map((ms) => ms * 1_000),
      ...query.events,
      valuesFrom: buckets.first,
      ranges: toRanges(layout),
    },
    { signal: ctx.signal },
  );
  // At once: asked afterwards it would wait for what others asked meanwhile.
  const [answer, isCompared] = await Promise.all([
    asked,
    !compare || isComparable(ctx, layout, environment),
  ]);
  const figures = toFigures(answer.total, layout);
  const series = toNamedSeries(answer, layout);
  return {
    window: shownWindow(layout),
    interval,
    timezone,
    environment,
    ...(isCompared ? { ...figures, series } : withoutChanges(figures, series)),
    ...(active && { active: toActive(answer.total, layout) }),
    brokenDown: answer.brokenDown ?? [],
    computedAt: now.toISOString(),
    ...provenanceOf(answer),
  };
}
