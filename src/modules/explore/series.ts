import type { AppContext } from '../../context.ts';
import { dimensionOf } from '../../query/dimension.ts';
import type { SeriesAnswer, SeriesCounts } from '../../query/series/model.ts';
import { at } from '../../shared/assert.ts';
import { type CalendarInterval, checkTimezone } from '../../shared/calendar.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { invalidInput } from '../../shared/errors.ts';
import { selectSettings } from '../app-settings/index.ts';
import { filtersOf } from '../events/index.ts';
import { MINIMUM_PEOPLE } from '../funnels/index.ts';
import { DEFAULT_WINDOW_DAYS } from './parameters.ts';
import type { EventSeries, SeriesFigures, SeriesQuery, SeriesTotals } from './series.model.ts';
import { type Buckets, boundaryIso, bucketsOf, resolveWindow } from './window.ts';

export const DEFAULT_SERIES_DAYS: Readonly<Record<CalendarInterval, number>> = {
  hour: 2,
  day: DEFAULT_WINDOW_DAYS,
  week: 12 * 7,
  month: 364,
};
const WEEK_DAYS = 7;
const MONTH_DAYS = 28;
/** Intervals of one question, those before the window included. */
export const MAX_BUCKETS = 900;

type Range = [number, number];

/** Which ranges of buckets are asked for, in the order in which the answer gives their people. */
type Layout = {
  buckets: Buckets;
  compare: boolean;
  finished: Range;
  previous: Range;
  /** Days with DAU, WAU and MAU: those compared with, then those of the window. */
  activeDays: readonly number[];
};

const single = (bucket: number): Range => [bucket, bucket + 1];
const upTo = (bucket: number, days: number): Range => [bucket + 1 - days, bucket + 1];
const numbers = ([from, before]: Range): number[] =>
  Array.from({ length: before - from }, (_, index) => from + index);

function layoutOf(buckets: Buckets, compare: boolean, active: boolean): Layout {
  const { first, finished, count } = buckets;
  const previous: Range = [compare ? first - finished : first, first];
  const activeDays = active ? [...numbers(previous), ...numbers([first, first + count])] : [];
  return { buckets, compare, finished: [first, first + finished], previous, activeDays };
}

function rangesOf({ buckets, finished, previous, activeDays }: Layout): Range[] {
  const { boundariesMs } = buckets;
  return [
    finished,
    previous,
    ...numbers([0, boundariesMs.length - 1]).map(single),
    ...activeDays.flatMap((day) => [upTo(day, WEEK_DAYS), upTo(day, MONTH_DAYS)]),
  ];
}
/** Where the people of single buckets begin in an answer. */
const SINGLES = 2;

const sum = (values: readonly number[], [from, before]: Range) =>
  values.slice(from, before).reduce((total, value) => total + value, 0);

const change = (now: number, before: number, people: number): number | null =>
  people < MINIMUM_PEOPLE || before === 0 ? null : now / before - 1;

function totalsOf({ events, people }: SeriesCounts, layout: Layout): SeriesTotals {
  const now = { people: at(people, 0), events: sum(events, layout.finished) };
  if (!layout.compare) {
    const none = { previousPeople: null, previousEvents: null };
    return { ...now, ...none, peopleChange: null, eventsChange: null };
  }
  const [previousPeople, previousEvents] = [at(people, 1), sum(events, layout.previous)];
  return {
    ...now,
    previousPeople,
    previousEvents,
    peopleChange: change(now.people, previousPeople, previousPeople),
    eventsChange: change(now.events, previousEvents, previousPeople),
  };
}

function figuresOf(counts: SeriesCounts, layout: Layout): SeriesFigures {
  const { first, finished, count } = layout.buckets;
  const peopleOf = (bucket: number) => at(counts.people, SINGLES + bucket);
  const points = numbers([first, first + count]).map((bucket, index) => {
    const isOver = index < finished;
    const before = bucket - finished;
    return {
      from: boundaryIso(layout.buckets, bucket),
      people: peopleOf(bucket),
      events: at(counts.events, bucket),
      ...(isOver &&
        layout.compare && {
          previousPeople: peopleOf(before),
          previousEvents: at(counts.events, before),
        }),
      ...(!isOver && { partial: true as const }),
    };
  });
  return { totals: totalsOf(counts, layout), points };
}

/**
 * DAU: distinct people of the day. WAU, MAU of day d: distinct people in d−6…d and d−27…d.
 * `dauOverMau`: DAU ÷ MAU of the day, the mean over the window.
 */
function activeOf({ people }: SeriesCounts, layout: Layout): NonNullable<EventSeries['active']> {
  const { buckets, activeDays } = layout;
  const offset = SINGLES + buckets.boundariesMs.length - 1;
  const days = activeDays.map((day, index) => ({
    day,
    dau: at(people, SINGLES + day),
    wau: at(people, offset + 2 * index),
    mau: at(people, offset + 2 * index + 1),
  }));
  const mean = ([from, before]: Range, everybody: number): number | null => {
    const over = days.filter(({ day, mau }) => day >= from && day < before && mau > 0);
    if (everybody < MINIMUM_PEOPLE || over.length === 0) return null;
    return over.reduce((total, { dau, mau }) => total + dau / mau, 0) / over.length;
  };
  return {
    points: days
      .filter(({ day }) => day >= buckets.first)
      .map(({ day, ...figures }) => ({
        from: boundaryIso(buckets, day),
        ...figures,
        ...(day >= layout.finished[1] && { partial: true as const }),
      })),
    dauOverMau: mean(layout.finished, at(people, 0)),
    previousDauOverMau: layout.compare ? mean(layout.previous, at(people, 1)) : null,
  };
}

/** Throws `invalid_input` for parameters that do not go together. */
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

export const namesOf = (text: string | undefined): string[] | null =>
  text === undefined ? null : [...new Set(text.split(','))];

/** The zone of a report: that of its parameters, else the app's. Throws `invalid_input`. */
export async function timezoneOf(
  { deps, orgId, app }: AppContext<'sql'>,
  asked: string | undefined,
): Promise<string> {
  if (asked !== undefined) checkTimezone(asked);
  return asked ?? (await selectSettings(deps.sql, { orgId, appId: app.id })).timezone;
}

function seriesOf({ series }: SeriesAnswer, layout: Layout): EventSeries['series'] {
  return series.map(({ value, ...counts }) => ({
    key: value ?? 'other',
    ...figuresOf(counts, layout),
  }));
}

/**
 * Series: people are distinct, so neither buckets nor breakdown values add up to the total, which is
 * given apart. Default window 28 days, compared with the 28 before; the unfinished interval is
 * marked and left out of every change.
 */
export async function eventSeries(
  ctx: AppContext<'clock' | 'log' | 'queries' | 'sql'>,
  query: SeriesQuery,
): Promise<EventSeries> {
  const { deps, orgId, app } = ctx;
  const { interval = 'day', compare = true, active = false, environment = DEFAULT_SCOPE } = query;
  const names = namesOf(query.names);
  checkSeriesQuery(query, names);
  const now = deps.clock();
  const timezone = await timezoneOf(ctx, query.timezone);
  const window = resolveWindow(query, DEFAULT_SERIES_DAYS[interval], timezone, now);
  const lookback = active ? MONTH_DAYS - 1 : 0;
  const buckets = bucketsOf(window, interval, { compare, lookback });
  if (buckets.boundariesMs.length > MAX_BUCKETS) {
    throw invalidInput('interval', 'makes too many points; use a longer one or fewer days');
  }
  const layout = layoutOf(buckets, compare, active);
  const answer = await deps.queries.ask(
    'series',
    {
      orgId,
      appId: app.id,
      environment,
      boundariesUs: buckets.boundariesMs.map((ms) => ms * 1_000),
      names,
      breakdown: query.breakdown === undefined ? null : dimensionOf(query.breakdown),
      valuesFrom: buckets.first,
      filters: filtersOf(query),
      ranges: rangesOf(layout),
    },
    { signal: ctx.signal },
  );
  return {
    window: {
      from: boundaryIso(buckets, buckets.first),
      to: boundaryIso(buckets, buckets.boundariesMs.length - 1),
      finishedThrough: boundaryIso(buckets, layout.finished[1]),
      previousFrom: compare ? boundaryIso(buckets, layout.previous[0]) : null,
    },
    interval,
    timezone,
    environment,
    ...figuresOf(answer.total, layout),
    series: seriesOf(answer, layout),
    ...(active && { active: activeOf(answer.total, layout) }),
    computedAt: now.toISOString(),
    dataThrough: new Date(answer.dataThroughMs).toISOString(),
  };
}
