import { api } from './api.ts';
import { dataOf, useQuery } from './query.ts';

/** How far back the overviews of apps look. */
export const OVERVIEW_DAYS = 28;

type Sales = Awaited<ReturnType<typeof api.getSalesAnalytics>>;
type Revenue = Awaited<ReturnType<typeof api.getPurchasesOverview>>;

const SALES = 'sales overview';
const revenueKey = (appId: string) => `revenue ${appId}`;

/** Sales of all apps in the last 28 days; one question for everything that shows some of it. */
export const useSalesOverview = (enabled = true) =>
  useQuery<Sales>(
    SALES,
    (signal) => api.getSalesAnalytics({ query: { days: OVERVIEW_DAYS } }, { signal }),
    { enabled },
  );

/** What the subscribers of an app pay for a month. */
export const useRevenue = (appId: string) =>
  useQuery<Revenue>(revenueKey(appId), (signal) =>
    api.getPurchasesOverview({ id: appId, query: { days: OVERVIEW_DAYS } }, { signal }),
  );

/** The same as far as they were answered, for what is not drawn. */
export const knownSales = () => dataOf<Sales>(SALES);
export const knownRevenue = (appId: string) => dataOf<Revenue>(revenueKey(appId));

/** Whether the app has ever had a subscriber as far as is known: else there is no MRR to speak of. */
export const hasRevenue = ({ active, trials, mrr }: Revenue): boolean =>
  active + trials + mrr.start > 0;
