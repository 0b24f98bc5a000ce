/** In the order of packed folds: append only. */
export const PERIOD_KINDS = ['paid', 'trial', 'free'] as const;
export type PeriodKind = (typeof PERIOD_KINDS)[number];

type ChainPlace = { transactionId: string; chainId: string };
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

/** A chain has the id of its first transaction. */
export const isFirstOfChain = ({ transactionId, chainId }: ChainPlace): boolean =>
  transactionId === chainId;
