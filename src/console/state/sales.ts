import { api } from './api.ts';
import { useQuery } from './query.ts';

export const OVERVIEW_DAYS = 28;

/** Sales of all apps in the last 28 days, for what is said beside them wherever one is. */
export const useSalesOverview = (enabled = true) =>
  useQuery(
    'sales overview',
    (signal) => api.getSalesAnalytics({ query: { days: OVERVIEW_DAYS } }, { signal }),
    { enabled },
  );
