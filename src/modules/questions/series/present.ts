import type { SeriesAnswer, SeriesCounts } from '../../../query/series/model.ts';
import { at } from '../../../shared/assert.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import type { EventSeries, SeriesFigures, SeriesTotals } from './answer.model.ts';
import { type Buckets, boundaryIso } from '../resolve/window.ts';

const WEEK_DAYS = 7;
const MONTH_DAYS = 28;
export type Range = [number, number];

/** Ranges of buckets, in the order of the result. */
export type Layout = {
  buckets: Buckets;
  compare: boolean;
  finished: Range;
  previous: Range;
  activeDays: readonly number[];
};

const single = (bucket: number): Range => [bucket, bucket + 1];
const upTo = (bucket: number, days: number): Range => [bucket + 1 - days, bucket + 1];
const numbers = ([from, before]: Range): number[] =>
  Array.from({ length: before - from }, (_, index) => from + index);

/** Days before the window for the MAU of its first day. */
export const LOOKBACK_DAYS = MONTH_DAYS - 1;

export function toLayout(buckets: Buckets, compare: boolean, active: boolean): Layout {
  const { first, finished, count } = buckets;
  const previous: Range = [compare ? first - finished : first, first];
  const activeDays = active ? [...numbers(previous), ...numbers([first, first + count])] : [];
  return { buckets, compare, finished: [first, first + finished], previous, activeDays };
}

export const shownWindow = ({ buckets, compare, finished, previous }: Layout) => ({
  from: boundaryIso(buckets, buckets.first),
  to: boundaryIso(buckets, buckets.boundariesMs.length - 1),
  finishedThrough: boundaryIso(buckets, finished[1]),
  previousFrom: compare ? boundaryIso(buckets, previous[0]) : null,
});

export function toRanges({ buckets, finished, previous, activeDays }: Layout): Range[] {
  const { boundariesMs } = buckets;
  return [
    finished,
    previous,
    ...numbers([0, boundariesMs.length - 1]).map(single),
    ...activeDays.flatMap((day) => [upTo(day, WEEK_DAYS), upTo(day, MONTH_DAYS)]),
  ];
}
export const SINGLES = 2;

const sum = (values: readonly number[], [from, before]: Range) =>
  values.slice(from, before).reduce((total, value) => total + value, 0);

const change = (now: number, before: number, people: number): number | null =>
  people < MINIMUM_PEOPLE || before === 0 ? null : now / before - 1;

function toTotals({ events, people }: SeriesCounts, layout: Layout): SeriesTotals {
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

export function toFigures(counts: SeriesCounts, layout: Layout): SeriesFigures {
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
  return { totals: toTotals(counts, layout), points };
}

/** People in d−6…d and d−27…d. `dauOverMau`: mean of DAU ÷ MAU. */
export function toActive(
  { people }: SeriesCounts,
  layout: Layout,
): NonNullable<EventSeries['active']> {
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

type Named = { key: string; rest?: true };
type NamedSeries = Named & { crossed?: Named } & SeriesFigures;

export const toSeriesName = (value: string | null): Named => ({
  key: value ?? 'other',
  ...(value === null && { rest: true as const }),
});

export function toNamedSeries({ series }: SeriesAnswer, layout: Layout): NamedSeries[] {
  return series.map(({ value, crossed, ...counts }) => ({
    ...toSeriesName(value),
    ...(crossed !== undefined && { crossed: toSeriesName(crossed) }),
    ...toFigures(counts, layout),
  }));
}
