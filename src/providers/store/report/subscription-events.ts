import type { SalesFact } from '../port.ts';
import { count } from './cells.ts';
import { checkDay, type PieceReader, type ReportRow, tableReader } from './table.ts';

const REQUIRED = ['Event Date', 'Event', 'App Apple ID', 'Country', 'Quantity'] as const;

/** Trial rows lack the product type of auto-renewable subscriptions. */
const SUBSCRIPTION_TYPE = 'IAY';

/** Also the older "… Introductory Price", and "Reactivate …" after a lapse. */
function startsTrial(row: ReportRow): boolean {
  return (
    /^(start|reactivate)\b/i.test(row.cell('Event')) &&
    /free trial/i.test(row.cell('Subscription Offer Type') || row.cell('Subscription Offer Name'))
  );
}

function trialFact(row: ReportRow, day: string): SalesFact | null {
  checkDay(row, 'Event Date', day);
  if (!startsTrial(row)) return null;
  return {
    line: row.line,
    storeId: row.cell('Subscription Apple ID'),
    parentStoreId: row.cell('App Apple ID') || null,
    sku: '',
    parentSku: null,
    title: row.cell('Subscription Name'),
    productType: SUBSCRIPTION_TYPE,
    country: row.cell('Country').toUpperCase(),
    device: row.cell('Device'),
    units: '0',
    bundleCredit: false,
    isRenewal: null,
    trials: count(row, 'Quantity'),
    proceeds: '0',
    proceedsCurrency: '',
    customerSpend: '0',
    customerCurrency: '',
  };
}

/** Free trials only: the rest is in the sales report. */
export function subscriptionEventReader(day: string): PieceReader<SalesFact> {
  return tableReader(REQUIRED, (row) => trialFact(row, day));
}
