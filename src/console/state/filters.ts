import { eachOf, FILTER_FIELDS } from '../../shared/event-fields.ts';
import { useAddress } from './address.ts';
import {
  type Dimension,
  dimensionOf,
  type Filter,
  type FilterQuery,
  filterQuery,
  filtersOf,
  MAX_EVENTS,
} from './filter-rules.ts';

export type { Dimension, Filter, FilterQuery } from './filter-rules.ts';

export type FiltersState = {
  filters: readonly Filter[];
  setFilters: (filters: readonly Filter[]) => void;
  query: FilterQuery;
};

export function useFilters(): FiltersState {
  const { query, change } = useAddress();
  const filters = filtersOf(query);
  return {
    filters,
    setFilters: (next) => {
      const none = eachOf(FILTER_FIELDS, () => undefined);
      change({ ...none, property: undefined, ...filterQuery(next) });
    },
    query: filterQuery(filters),
  };
}

/** Commas between; none means any event. */
export function useEvents(name = 'event') {
  const { query, change } = useAddress();
  const names = (query[name] ?? '').split(',').filter(Boolean).slice(0, MAX_EVENTS);
  return {
    names,
    setNames: (next: readonly string[]) =>
      change({ [name]: next.length > 0 ? next.join(',') : undefined }),
  };
}

export function useBreakdown() {
  const { query, change } = useAddress();
  return {
    breakdown: dimensionOf(query.breakdown ?? ''),
    setBreakdown: (next: Dimension | undefined) => change({ breakdown: next }),
  };
}
