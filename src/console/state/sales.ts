import { api } from './api.ts';
import { useApi } from './use-api.ts';

export const OVERVIEW_DAYS = 28;

export const useSalesOverview = (enabled = true) =>
  useApi(api.getSalesAnalytics, { query: { days: OVERVIEW_DAYS } }, { enabled });
