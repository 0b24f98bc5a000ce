import { api } from './api.ts';
import { dataOf, useQuery } from './query.ts';
import { OVERVIEW_DAYS } from './sales.ts';

type Summary = Awaited<ReturnType<typeof api.getEventSummary>>;

const keyOf = (appId: string) => `summary ${appId}`;

/** People, events and their names of the last 28 days; one question for everything that shows some of it. */
export const useSummary = (appId: string, enabled = true) =>
  useQuery<Summary>(
    keyOf(appId),
    (signal) => api.getEventSummary({ id: appId, query: { days: OVERVIEW_DAYS } }, { signal }),
    { enabled },
  );

/** The same as far as it was answered, for what is not drawn. */
export const knownSummary = (appId: string) => dataOf<Summary>(keyOf(appId));
