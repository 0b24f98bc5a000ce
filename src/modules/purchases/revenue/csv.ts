import { csvTable } from '../../../shared/csv.ts';
import type { PurchaseRevenue } from './model.ts';

const COLUMNS = [
  ...['from', 'to', 'currency', 'purchases', 'grossMinor'],
  ...['refundsByPurchaseDay', 'refundsByPurchaseDayMinor'],
  ...['refundsByRefundDay', 'refundsByRefundDayMinor'],
  ...['netMinor', 'proceedsMinor', 'withoutShareMinor'],
];

export function revenueCsv({ points, currency }: PurchaseRevenue): string {
  const rows = points.map(({ from, to, refunds, ...point }) => {
    const { byPurchaseDay, byRefundDay } = refunds;
    return [
      ...[from, to, currency, point.purchases, point.grossMinor],
      ...[byPurchaseDay.count, byPurchaseDay.amountMinor],
      ...[byRefundDay.count, byRefundDay.amountMinor],
      ...[point.netMinor, point.proceedsMinor, point.withoutShareMinor],
    ];
  });
  return csvTable(COLUMNS, rows);
}
