import type { Transaction } from '../../../shared/purchase.ts';
import { PLAY_CHAIN } from '../../../storage/purchase-period.ts';

/** In the order of packed folds: append only. */
export const PERIOD_KINDS = ['paid', 'trial', 'free'] as const;
export type PeriodKind = (typeof PERIOD_KINDS)[number];

type ChainPlace = { transactionId: string; chainId: string; isAddOn?: boolean };
type Period = {
  freeTrial: boolean;
  priceMilliunits?: number | null;
  regularMilliunits?: number | null;
};

/** An unknown price counts as paid, and so does credit. */
export function periodKind(period: Period): PeriodKind {
  if (period.freeTrial) return 'trial';
  return period.priceMilliunits === 0 && !period.regularMilliunits ? 'free' : 'paid';
}

/** Google Play counts renewals in an order's id. */
export const isFirstOrder = ({ transactionId, chainId }: ChainPlace): boolean =>
  chainId.startsWith(PLAY_CHAIN) ? !transactionId.includes('..') : transactionId === chainId;

export const isFirstOfChain = (period: ChainPlace): boolean =>
  !period.isAddOn && isFirstOrder(period);

type GivenBack = Pick<Transaction, 'ownership' | 'refundedAt' | 'revokedAt' | 'upgraded'>;

/** `refundedMs` of SQL. */
export const refundTime = (period: GivenBack): number | null =>
  period.ownership === 'purchased'
    ? (period.refundedAt ?? (period.upgraded ? null : period.revokedAt))
    : null;
