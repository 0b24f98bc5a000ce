import { api } from './api.ts';
import { useQuery } from './query.ts';
import { session } from './session.ts';

export const useOrganizations = () =>
  useQuery('organizations', (signal) => api.listOrganizations(undefined, { signal }));

export const useActiveOrganization = () =>
  useOrganizations().value.data?.find(({ id }) => id === session.value?.activeOrganizationId);
