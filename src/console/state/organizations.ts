import { api } from './api.ts';
import { session } from './session.ts';
import { useApi } from './use-api.ts';

export const useOrganizations = () => useApi(api.listOrganizations);

export const useActiveOrganization = () =>
  useOrganizations().value.data?.find(({ id }) => id === session.value?.activeOrganizationId);
