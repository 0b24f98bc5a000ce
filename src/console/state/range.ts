import { useMemo } from 'preact/hooks';
import { dayRange } from '../format.ts';
import { useAddress } from './address.ts';
import { type Days, dayOf, daysBefore, lengthOf } from './days.ts';
import { seriesQuery } from './range-query.ts';
import {
  carriedOf,
  parametersOf,
  presetLabel,
  type Range,
  type Resolved,
  rangeOf,
  resolveRange,
} from './ranges.ts';
import { useTimezone } from './timezone.ts';

export { carriedOf, fixedQuery, type Range, type Resolved, throughToday } from './ranges.ts';

export type RangeState = Resolved & {
  range: Range;
  days: number;
  label: string;
  dates: string;
  timezone: string;
  query: { days: number } | Days;
  setRange: (range: Range) => void;
  carried: string;
};

export function useRange(): RangeState {
  const { path, query, change } = useAddress();
  const timezone = useTimezone(/^\/apps\/([^/]+)\//.exec(path)?.[1]);
  const today = dayOf(Date.now(), timezone);
  const { days, from, to } = query;
  const range = useMemo(() => rangeOf({ days, from, to }), [days, from, to]);
  const resolved = useMemo(() => resolveRange(range, today), [range, today]);
  const dates = dayRange(resolved.from, resolved.to);
  return {
    ...resolved,
    range,
    days: lengthOf(resolved),
    label: range.kind === 'preset' ? presetLabel(range.preset) : dates,
    dates,
    timezone,
    query: seriesQuery(resolved),
    setRange: (next) => change(parametersOf(next)),
    carried: carriedOf(query),
  };
}

/** Links to other pages carry this, also where no range is shown. */
export const useCarried = (): string => carriedOf(useAddress().query);

export type Comparison = 'none' | 'previous';
export type CompareState = {
  compare: Comparison;
  setCompare: (compare: Comparison) => void;
  before: Days;
};

export function useCompare(range: Resolved): CompareState {
  const { query, change } = useAddress();
  return {
    compare: query.compare === 'previous' ? 'previous' : 'none',
    setCompare: (compare) => change({ compare: compare === 'none' ? undefined : compare }),
    before: daysBefore(range),
  };
}
