import { api } from './api.ts';
import { useQuery } from './query.ts';

const POLL_SECONDS = 15;

export const useServiceStatus = (enabled = true) =>
  useQuery('status', (signal) => api.getStatus(undefined, { signal }), {
    everySeconds: POLL_SECONDS,
    enabled,
  });
