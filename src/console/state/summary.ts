import { api } from './api.ts';
import { type Question, useQuery } from './query.ts';
import { OVERVIEW_DAYS } from './sales.ts';

export type Summary = Awaited<ReturnType<typeof api.getEventSummary>>;

export const summaryQuestion = (appId: string): Question<Summary> => ({
  of: appId,
  key: `summary ${appId}`,
  fetch: (signal) => api.getEventSummary({ id: appId, query: { days: OVERVIEW_DAYS } }, { signal }),
});

export function useSummary(appId: string, enabled = true) {
  const { key, fetch } = summaryQuestion(appId);
  return useQuery(key, fetch, { enabled });
}
