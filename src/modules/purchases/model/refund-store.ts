import type { SystemContext } from '../../../context.ts';
import type { AppScope } from '../../../shared/app.ts';
import type { StoreEnvironment } from '../../../shared/environment.ts';
import type { ProviderFailure } from '../../../shared/provider-error.ts';
import type { Transaction } from '../../../shared/purchase.ts';
import type { RefundAnswer, RefundEvidence } from './refunds.ts';

export type RefundKey = AppScope & { environment: StoreEnvironment; requestId: string };

export type OpenRequest = RefundKey & {
  transactionId: string;
  refundToken: string | null;
  askedAt: Date;
  answerBy: Date;
};

export type RefundPurchase = {
  chainId: string;
  productId: string;
  type: Transaction['type'];
  quantity: number;
  purchasedAt: Date;
  revokedMs: number | null;
};

export type FixedAnswer = { answer: RefundAnswer; evidence: RefundEvidence | null };

type Context = SystemContext<
  'clock' | 'log' | 'playStore' | 'secrets' | 'sql' | 'storeServer' | 'temporal'
>;

/** Throws `ProviderError`, `unavailable` also without a key. */
export type RefundStore = {
  maxEvents: number;
  findPurchase: (ctx: Context, request: OpenRequest) => Promise<RefundPurchase | null>;
  open: (ctx: Context, request: OpenRequest) => Promise<(fixed: FixedAnswer) => Promise<void>>;
  /** Null: another try may succeed. */
  endOf: (failure: ProviderFailure, isRepeated: boolean) => 'answered' | 'refused' | null;
};
