import type { StoreEnvironment } from '../../../shared/environment.ts';
import type { ChainStatus } from '../../../shared/purchase.ts';

export type ChainKey = {
  orgId: string;
  appId: string;
  environment: StoreEnvironment;
  chainId: string;
};

export type StatusAsOf = { status: ChainStatus; asOf: number; transactionId: string | null };
