import { changedQuery } from '../../state/address-query.ts';
import { useAddress } from '../../state/address.ts';
import { type Dimension, dimensionOf } from '../../state/filter-rules.ts';
import { type FiltersState, useFilters } from '../../state/filters.ts';
import {
  type Change,
  DEFAULT_BREAKDOWN,
  hoursOf,
  type Listed,
  listedOf,
  parametersOf,
  type Who,
} from './parameters.ts';

export type { Listed, Who } from './parameters.ts';

export type FunnelSettings = {
  funnelId: string | undefined;
  edited: string | undefined;
  breakdown: Dimension | undefined;
  /** A single value is not worth a picture then. */
  isBreakdownDefault: boolean;
  who: Who | undefined;
  windowHours: number | undefined;
  listed: Listed | undefined;
  filters: FiltersState;
  /** Skipped by the way back: an editor, left for good. */
  change: (change: Change, how?: { isBackSkipped?: boolean }) => void;
  hrefOf: (change: Change) => string;
};

export function useFunnelSettings(): FunnelSettings {
  const { path, query, change } = useAddress();
  const chosen = query.breakdown ?? DEFAULT_BREAKDOWN;
  const search = `${new URLSearchParams(query)}`;
  return {
    funnelId: query.funnel,
    edited: query.edit || undefined,
    breakdown: dimensionOf(chosen),
    isBreakdownDefault: query.breakdown === undefined,
    who: query.people === 'new' || query.people === 'all' ? query.people : undefined,
    windowHours: hoursOf(query.windowHours),
    listed: listedOf(query),
    filters: useFilters(),
    change: (changed, how) => change(parametersOf(changed), how),
    hrefOf: (changed) => `${path}${changedQuery(search, parametersOf(changed))}`,
  };
}
