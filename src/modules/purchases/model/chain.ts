import type { AppScope } from '../../../shared/app.ts';
import type { StoreEnvironment } from '../../../shared/environment.ts';
import type { ChainStatus } from '../../../shared/purchase.ts';
import type { Store } from '../../../shared/stores.ts';

/** Names a row: no store's chain id is one of another store. */
export type ChainRow = AppScope & { environment: StoreEnvironment; chainId: string };
export type ChainKey = ChainRow & { store: Store };

export type StatusAsOf = { status: ChainStatus; asOf: number; transactionId: string | null };
