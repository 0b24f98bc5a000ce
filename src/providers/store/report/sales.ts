import { multiplyDecimals } from '../../../shared/decimal.ts';
import type { SalesFact } from '../port.ts';
import { bounded, currency, decimal } from './cells.ts';
import { checkDay, type PieceReader, type ReportRow, tableReader, unreadable } from './table.ts';

const REQUIRED = [
  'Product Type Identifier',
  'Units',
  'Developer Proceeds',
  'Currency of Proceeds',
  'Apple Identifier',
  'SKU',
  'Begin Date',
  'Country Code',
] as const;

function requiredDecimal(row: ReportRow, column: string): string {
  const value = decimal(row, column);
  if (value === null) throw unreadable(row, `${column} is empty`);
  return value;
}

/** Auto-renewable subscriptions only. */
function isRenewal(row: ReportRow): boolean | null {
  const word = row.cell('Subscription').toLowerCase();
  return word === 'renewal' || (word === 'new' ? false : null);
}

/**
 * Amounts get the sign of the units. Refunds have positive `Developer Proceeds`, negative `Customer
 * Price`.
 */
function salesFact(row: ReportRow, day: string): SalesFact {
  checkDay(row, 'Begin Date', day);
  const units = bounded(row, 'Units', requiredDecimal(row, 'Units'));
  const perUnit = requiredDecimal(row, 'Developer Proceeds');
  const proceeds = bounded(row, 'Developer Proceeds', multiplyDecimals(units, perUnit));
  const price = (decimal(row, 'Customer Price') ?? '0').replace('-', '');
  const customerSpend = bounded(row, 'Customer Price', multiplyDecimals(units, price));
  return {
    line: row.line,
    storeId: row.cell('Apple Identifier'),
    parentStoreId: null,
    sku: row.cell('SKU'),
    parentSku: row.cell('Parent Identifier') || null,
    title: row.cell('Title'),
    productType: row.cell('Product Type Identifier'),
    country: row.cell('Country Code').toUpperCase(),
    device: row.cell('Device'),
    units,
    bundleCredit: row.cell('CMB').toUpperCase() === 'CMB-C',
    isRenewal: isRenewal(row),
    trials: 0,
    proceeds,
    proceedsCurrency: currency(row, 'Currency of Proceeds', proceeds),
    customerSpend,
    customerCurrency: currency(row, 'Customer Currency', customerSpend),
  };
}

export function salesReader(day: string): PieceReader<SalesFact> {
  return tableReader(REQUIRED, (row) => salesFact(row, day));
}
