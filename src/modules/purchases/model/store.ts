import type { Need, OrgContext } from '../../../context.ts';
import { ProviderError, type ProviderFailure } from '../../../shared/provider-error.ts';
import type { SignedTransaction } from '../../../shared/purchase.ts';
import { type StoreFailure, storeError } from '../../../shared/store-error.ts';
import type { Store } from '../../../shared/stores.ts';
import type { ChainKey } from './chain.ts';

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

/** Dependencies of a request to any of the stores. */
export type StoreNeeds = 'clock' | 'playStore' | 'secrets' | 'sql' | 'storeServer';
export type StoreContext<Needs extends Need = StoreNeeds> = Pick<
  OrgContext<Needs>,
  'deps' | 'orgId'
>;

/** For one app. Throws `ProviderError`. */
export type OpenStore = {
  name: Store;
  bundleId: string;
  findTransaction: (transactionId: string) => Promise<SignedTransaction | null>;
  lookUpOrder: (orderId: string) => Promise<SignedTransaction[]>;
};

export type RefreshOutcome = 'refreshed' | 'no_key' | 'no_app';

/** For rooms that know no store. */
export type StoreDoor = {
  isOrderId: (text: string) => boolean;
  /** Null without a key, or for an app that the store does not have. */
  open: (ctx: StoreContext, appId: string) => Promise<OpenStore | null>;
  /** With its customer's other purchases. Throws `ProviderError`. */
  refresh: (ctx: StoreContext, chain: ChainKey) => Promise<RefreshOutcome>;
};
