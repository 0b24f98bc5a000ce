import { api } from './api.ts';
import { useQuery } from './query.ts';

/** The experiments of an app, without their results. */
export const useExperiments = (appId: string, enabled = true) =>
  useQuery(`experiments ${appId}`, (signal) => api.listExperiments({ id: appId }, { signal }), {
    enabled,
  });
