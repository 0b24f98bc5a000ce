import { api } from './api.ts';
import { useApi } from './use-api.ts';

/** New ones are set up in the background. */
export const useApps = () => useApi(api.listApps, undefined, { everySeconds: 30 });
