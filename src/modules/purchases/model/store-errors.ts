import { ProviderError, type ProviderFailure } from '../../../shared/provider-error.ts';
import { type StoreFailure, storeError } from '../../../shared/store-error.ts';

export const STORE_ERRORS = [
  'store_credentials_rejected',
  'store_role_missing',
  'store_rate_limited',
  'store_unavailable',
] as const;

const STORE_FAILURES: Readonly<Record<ProviderFailure, StoreFailure>> = {
  unauthorized: 'credentials',
  forbidden: 'role',
  not_found: 'unavailable',
  conflict: 'unavailable',
  invalid: 'unavailable',
  rate_limited: 'rate_limited',
  unavailable: 'unavailable',
  malformed: 'unavailable',
};

/** Maps a failure of the store; other errors pass unchanged. */
export function toStoreError(thrown: unknown): unknown {
  if (!(thrown instanceof ProviderError)) return thrown;
  return storeError(STORE_FAILURES[thrown.failure], thrown);
}
