import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';

/** The organization's reporting key, as far as it may be shown. */
export const useStoreConnection = () =>
  useQuery('store connection', (signal) => api.getStoreConnection(undefined, { signal }), {
    everySeconds: 30,
  });
