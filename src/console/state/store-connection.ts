import { api } from './api.ts';
import { useQuery } from './query.ts';

export const useStoreConnection = (enabled = true) =>
  useQuery('store connection', (signal) => api.getStoreConnection(undefined, { signal }), {
    everySeconds: 30,
    enabled,
  });
