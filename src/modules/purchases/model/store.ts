import type { Need, OrgContext } from '../../../context.ts';
import type { SignedTransaction, Store } from '../../../shared/purchase.ts';
import type { ChainKey } from './chain.ts';

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
