import { api } from './api.ts';
import { useQuestion } from './question.ts';

/** How far back the overviews of apps look. */
export const OVERVIEW_DAYS = 28;

/** Sales of all apps in the last 28 days; one question for everything that shows some of it. */
export const useSalesOverview = () =>
  useQuestion(`sales overview ${OVERVIEW_DAYS}`, (signal) =>
    api.getSalesAnalytics({ query: { days: OVERVIEW_DAYS } }, { signal }),
  );

/** What the subscribers of an app pay for a month. */
export const useRevenue = (appId: string) =>
  useQuestion(`revenue ${appId}`, (signal) =>
    api.getPurchasesOverview({ id: appId, query: { days: OVERVIEW_DAYS } }, { signal }),
  );

type Revenue = Awaited<ReturnType<typeof api.getPurchasesOverview>>;

/** Whether the app has ever had a subscriber as far as is known: else there is no MRR to speak of. */
export const hasRevenue = ({ active, trials, mrr }: Revenue): boolean =>
  active + trials + mrr.start > 0;
