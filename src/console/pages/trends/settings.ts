import { useEnvironment } from '../../parts/chips/environment.tsx';
import { useAddress } from '../../state/address.ts';
import { useBreakdown, useEvents, useFilters } from '../../state/filters.ts';
import { useCompare, useRange } from '../../state/range.ts';
import { type SeriesInterval, seriesIntervals } from '../../state/range-query.ts';

export const SUBJECTS = ['people', 'events', 'ratio'] as const;
export type Subject = (typeof SUBJECTS)[number];
export const KINDS = ['line', 'area', 'bar'] as const;
export type Kind = (typeof KINDS)[number];

export function useTrendSettings() {
  const { query, change } = useAddress();
  const range = useRange();
  const { compare, before } = useCompare(range);
  const { environment, choice } = useEnvironment();
  const { names, setNames } = useEvents();
  const { breakdown, setBreakdown } = useBreakdown();
  const filters = useFilters();
  const intervals = seriesIntervals(range);
  const interval = intervals.find((one) => one === query.interval) ?? 'day';
  return {
    change,
    range,
    before,
    isCompared: compare === 'previous',
    environment,
    environmentChoice: choice,
    names,
    setNames,
    // Routes take either.
    breakdown: names.length > 1 ? undefined : breakdown,
    setBreakdown,
    filters,
    intervals,
    interval,
    setInterval: (next: SeriesInterval) =>
      change({ interval: next === 'day' ? undefined : next, point: undefined }),
    subject: SUBJECTS.find((one) => one === query.chart) ?? 'people',
    kind: KINDS.find((one) => one === query.draw) ?? 'line',
    only: query.only,
    /** The place whose people are listed, and of which line; of all without it. */
    point: query.point,
    of: query.of,
  };
}

export type TrendSettings = ReturnType<typeof useTrendSettings>;
