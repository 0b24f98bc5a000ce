import { api } from './api.ts';
import { useQuery } from './query.ts';

/** New ones are set up in the background. */
export const useApps = () =>
  useQuery('apps', (signal) => api.listApps(undefined, { signal }), { everySeconds: 30 });
