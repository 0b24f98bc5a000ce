import { api } from './api.ts';
import { useApi } from './use-api.ts';

const POLL_SECONDS = 15;

export const useServiceStatus = (enabled = true) =>
  useApi(api.getStatus, undefined, { everySeconds: POLL_SECONDS, enabled });
