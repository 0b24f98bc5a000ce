import { api } from './api.ts';
import { useQuery } from './query.ts';
import { OVERVIEW_DAYS } from './sales.ts';

/** What the rules say of an app; a view that is not `enabled` shows only what another one fetched. */
export const useInsights = (appId: string, enabled = true) =>
  useQuery(
    `insights ${appId}`,
    (signal) => api.getInsights({ id: appId, query: { days: OVERVIEW_DAYS } }, { signal }),
    { enabled },
  );
