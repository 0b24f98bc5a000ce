import { eachOf, FILTER_FIELDS } from '../../shared/event-fields.ts';
import { useAddress } from './address.ts';
import { type Filter, type FilterQuery, filterQuery, filtersOf } from './filter-rules.ts';

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
