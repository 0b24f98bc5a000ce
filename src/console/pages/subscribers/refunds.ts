import type { PurchasesOverview as Overview } from '../../../../clients/api/src/index.ts';

/** By refund day, of subscriptions and one-time purchases as the rate beside it. */
export const allRefunds = ({
  refunds: { byRefundDay },
  nonRenewing: { refunds },
}: Pick<Overview, 'nonRenewing' | 'refunds'>) => ({
  count: byRefundDay.count + refunds.count,
  amountMinor: byRefundDay.amountMinor + refunds.amountMinor,
});
