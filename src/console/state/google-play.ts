import { api } from './api.ts';
import { useQuery } from './query.ts';

/** The account whose reports are read. */
export const usePlayAccount = (enabled = true) =>
  useQuery('google play account', (signal) => api.getGooglePlayAccount(undefined, { signal }), {
    everySeconds: 30,
    enabled,
  });
