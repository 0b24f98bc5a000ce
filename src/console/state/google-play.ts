import { api } from './api.ts';
import { useApi } from './use-api.ts';

/** The account whose reports are read. */
export const usePlayAccount = (enabled = true) =>
  useApi(api.getGooglePlayAccount, undefined, {
    everySeconds: 30,
    enabled,
  });
