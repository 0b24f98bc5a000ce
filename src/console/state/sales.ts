import { api } from './api.ts';
import { useQuery } from './query.ts';

export const OVERVIEW_DAYS = 28;

export const useSalesOverview = (enabled = true) =>
  useQuery(
    'sales overview',
    (signal) => api.getSalesAnalytics({ query: { days: OVERVIEW_DAYS } }, { signal }),
    { enabled },
  );
