import { api } from './api.ts';
import { type Question, useQuery } from './query.ts';
import { OVERVIEW_DAYS } from './sales.ts';

export type Insights = Awaited<ReturnType<typeof api.getInsights>>;

export const insightsQuestion = (appId: string): Question<Insights> => ({
  of: appId,
  key: `insights ${appId}`,
  fetch: (signal) => api.getInsights({ id: appId, query: { days: OVERVIEW_DAYS } }, { signal }),
});

export function useInsights(appId: string, enabled = true) {
  const { key, fetch } = insightsQuestion(appId);
  return useQuery(key, fetch, { enabled });
}

/** Days that the store owes are those of all apps. */
export const worthALook = ({ recommendations }: Insights): Insights['recommendations'] =>
  recommendations.filter(
    ({ severity, code }) => severity !== 'info' && code !== 'store_days_missing',
  );
