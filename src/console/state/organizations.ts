import { api } from './api.ts';
import { useQuery } from './query.ts';

export const useOrganizations = () =>
  useQuery('organizations', (signal) => api.listOrganizations(undefined, { signal }));
