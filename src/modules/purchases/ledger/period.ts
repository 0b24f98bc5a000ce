/** In the order of packed folds: append only. */
export const PERIOD_KINDS = ['paid', 'trial', 'free'] as const;
export type PeriodKind = (typeof PERIOD_KINDS)[number];

type ChainPlace = { transactionId: string; chainId: string };
type Period = { freeTrial: boolean; priceMilliunits?: number | null };

/** An unknown price counts as paid. */
export function periodKind({ freeTrial, priceMilliunits }: Period): PeriodKind {
  if (freeTrial) return 'trial';
  return priceMilliunits === 0 ? 'free' : 'paid';
}

/** A chain has the id of its first transaction. */
export const isFirstOfChain = ({ transactionId, chainId }: ChainPlace): boolean =>
  transactionId === chainId;
