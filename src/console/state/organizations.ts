import { api } from './api.ts';
import { useQuery } from './query.ts';

/** The organizations of the reader. */
export const useOrganizations = () =>
  useQuery('organizations', (signal) => api.listOrganizations(undefined, { signal }));
