import { api } from './api.ts';
import { useQuery } from './query.ts';

/** The organization's reporting key, as far as it may be shown. */
export const useStoreConnection = (enabled = true) =>
  useQuery('store connection', (signal) => api.getStoreConnection(undefined, { signal }), {
    everySeconds: 30,
    enabled,
  });
