import { api } from './api.ts';
import { useApi } from './use-api.ts';

const POLL_SECONDS = 30;

export const useStoreConnection = (enabled = true) =>
  useApi(api.getStoreConnection, undefined, { everySeconds: POLL_SECONDS, enabled });

/** The account whose reports are read. */
export const usePlayAccount = (enabled = true) =>
  useApi(api.getGooglePlayAccount, undefined, { everySeconds: POLL_SECONDS, enabled });
