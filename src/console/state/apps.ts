import { api } from './api.ts';
import { useQuestion } from './question.ts';

/** The organization's apps; asked again now and then, since new ones are set up in the background. */
export const useApps = () =>
  useQuestion('apps', (signal) => api.listApps(undefined, { signal }), 30);
