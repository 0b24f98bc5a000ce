import { api } from './api.ts';
import { useApi } from './use-api.ts';

export const useStoreConnection = (enabled = true) =>
  useApi(api.getStoreConnection, undefined, {
    everySeconds: 30,
    enabled,
  });
