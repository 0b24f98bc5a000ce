import type { Need, OrgContext } from '../../../context.ts';
import type { SignedTransaction, Store } from '../../../shared/purchase.ts';
import type { ChainKey } from './chain.ts';

/** Dependencies of a request to any of the stores. */
export type StoreNeeds = 'clock' | 'secrets' | 'sql' | 'storeServer';
export type StoreContext<Needs extends Need = StoreNeeds> = Pick<
  OrgContext<Needs>,
  'deps' | 'orgId'
>;

export type ChainOfApp = Omit<ChainKey, 'orgId'> & { bundleId: string };

/** With the organization's key, for one app. Throws `ProviderError`. */
export type OpenStore = {
  store: Store;
  /** In either environment; null for an unknown id. */
  findTransaction: (transactionId: string) => Promise<SignedTransaction | null>;
  /** Empty for an unknown order. */
  lookUpOrder: (orderId: string) => Promise<SignedTransaction[]>;
};

/** The door of a store's room for the rooms that know no store. */
export type StoreDoor = {
  isOrderId: (text: string) => boolean;
  /** Null without a key. */
  open: (ctx: StoreContext, bundleId: string) => Promise<OpenStore | null>;
  /** False without a key. Throws `ProviderError`. */
  refresh: (ctx: StoreContext, chain: ChainOfApp) => Promise<boolean>;
};
