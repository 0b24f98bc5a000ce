import { DateTime } from 'luxon';
import { multiplyDecimals } from '../../shared/decimal.ts';
import { PACIFIC } from '../../shared/pacific.ts';
import type { ReportRow, SkippedRow } from './report.ts';
import { isSubscription, PRODUCT_COLUMNS, productOf } from './product.ts';
import { amountOf, type Cells, countryOf, currencyOf, readTable, unreadable } from './table.ts';

const STATUS = 'Financial Status';
const CHARGED = 'Charged Amount';
const PRICE = 'Item Price';
const CURRENCY = ['Currency of Sale', 'Buyer Currency'];

const REQUIRED = [
  ['Order Charged Date'],
  [STATUS],
  [CHARGED],
  [PRICE],
  CURRENCY,
  ...PRODUCT_COLUMNS,
] as const;

/** Google's fee: 15 % of subscriptions and of the first million dollars a year, else 30 %. */
const KEPT_OF_MOST = '0.85';
const KEPT_OF_THE_REST = '0.7';

type Status = { sign: '' | '-'; isWhole: boolean };

/** Null for orders that were never charged. */
const STATUSES: Readonly<Record<string, Status | null>> = {
  charged: { sign: '', isWhole: true },
  refund: { sign: '-', isWhole: true },
  refunded: { sign: '-', isWhole: true },
  // The rest stays sold.
  'partial refund': { sign: '-', isWhole: false },
  cancelled: null,
  canceled: null,
};

/** By the status: reports give refunds with and without a sign. */
const signed = (sign: '' | '-', amount: string) =>
  amount === '0' ? amount : `${sign}${amount.replace('-', '')}`;

function dayOf(row: Cells): string {
  const day = row.cell('Order Charged Date');
  if (/^\d{4}-\d{2}-\d{2}$/.test(day)) return day;
  throw unreadable(row, 'Order Charged Date is not a day');
}

/** Pacific: the month before for the first hours of a month of UTC. */
function earningsMonth(row: Cells, day: string): string {
  if (!day.endsWith('-01')) return day.slice(0, 7);
  const seconds = row.cell('Order Charged Timestamp');
  if (!/^\d{9,11}$/.test(seconds)) return day.slice(0, 7);
  return DateTime.fromSeconds(Number(seconds), { zone: PACIFIC }).toFormat('yyyy-MM');
}

function saleOf(row: Cells): ReportRow | SkippedRow | null {
  const name = row.cell(STATUS).toLowerCase();
  const status = STATUSES[name];
  if (status === null) return null;
  if (status === undefined) return { skipped: `${STATUS} "${name.slice(0, 40)}"` };
  const { sign, isWhole } = status;
  const day = dayOf(row);
  const product = productOf(row);
  const isMost =
    isSubscription(product) || row.cell('First USD 1M Eligible').toLowerCase() === 'yes';
  const customerSpend = signed(sign, amountOf(row, CHARGED));
  const price = signed(sign, amountOf(row, PRICE));
  const proceeds = multiplyDecimals(price, isMost ? KEPT_OF_MOST : KEPT_OF_THE_REST);
  const whole = sign === '-' ? -1 : 1;
  return {
    ...product,
    day,
    earningsMonth: earningsMonth(row, day),
    country: countryOf(row, 'Country of Buyer', 'Buyer Country'),
    units: isWhole ? whole : 0,
    proceeds,
    proceedsCurrency: currencyOf(row, proceeds, ...CURRENCY),
    customerSpend,
    customerCurrency: currencyOf(row, customerSpend, ...CURRENCY),
  };
}

/** Estimated sales: a row per order, of days of UTC. */
export async function* readSales(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<ReportRow | SkippedRow> {
  for await (const cells of readTable(pieces, REQUIRED)) {
    const row = saleOf(cells);
    if (row) yield row;
  }
}
