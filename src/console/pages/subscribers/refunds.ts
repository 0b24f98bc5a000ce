import type { PurchasesOverview as Overview } from '../../../../clients/api/src/index.ts';

export const allRefunds = ({
  refunds: { byRefundDay },
  nonRenewing: { refunds },
}: Pick<Overview, 'nonRenewing' | 'refunds'>) => ({
  count: byRefundDay.count + refunds.count,
  amountMinor: byRefundDay.amountMinor + refunds.amountMinor,
});
