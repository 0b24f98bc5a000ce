import type { StoreEnvironment } from '../../../shared/environment.ts';
import type { ChainStatus } from '../../../shared/purchase.ts';

/** A chain: every transaction of one purchase, a subscription's renewals among them. */
export type ChainKey = {
  orgId: string;
  appId: string;
  environment: StoreEnvironment;
  chainId: string;
};

/** The store's status of a chain, with the transaction and the signing time of that answer. */
export type StatusAsOf = { status: ChainStatus; asOf: number; transactionId: string | null };
