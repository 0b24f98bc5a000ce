import { api } from './api.ts';
import { type Question, useQuery } from './query.ts';
import { OVERVIEW_DAYS } from './sales.ts';

export type Summary = Awaited<ReturnType<typeof api.getEventSummary>>;

/** People, events and their names of the last 28 days. */
export const summaryQuestion = (appId: string): Question<Summary> => ({
  of: appId,
  key: `summary ${appId}`,
  fetch: (signal) => api.getEventSummary({ id: appId, query: { days: OVERVIEW_DAYS } }, { signal }),
});

/** One question for everything that shows some of it. */
export function useSummary(appId: string, enabled = true) {
  const { key, fetch } = summaryQuestion(appId);
  return useQuery(key, fetch, { enabled });
}
