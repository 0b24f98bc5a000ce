import { scaleExactly, toDecimal } from '../../shared/decimal.ts';
import { minorExponent } from '../../shared/money.ts';
import type { Db } from '../../storage/postgres.ts';
import type { TableDefinition } from '../format/types.ts';
import { salesMonths, salesRows } from './facts-queries.ts';
import type { MonthlyTable } from './own-table.ts';
import type { TextRow } from './write.ts';

const ONE = toDecimal('1');

/** Whole minor units, rounded half to even as in sales figures. */
export const minorText = (amount: string, currency: string) =>
  String(scaleExactly(toDecimal(amount), ONE, ONE, minorExponent(currency)));

const SALES: TableDefinition = {
  name: 'sales',
  doc: "Rows of the store's daily reports of sales and of subscription events",
  fields: [
    { id: 1, name: 'org_id', type: 'string' },
    { id: 2, name: 'vendor_number', type: 'string' },
    { id: 3, name: 'day', type: 'date' },
    { id: 4, name: 'report_type', type: 'string' },
    { id: 5, name: 'line', type: 'int' },
    { id: 6, name: 'app_id', type: 'string' },
    { id: 7, name: 'store_app_id', type: 'string' },
    { id: 8, name: 'store_id', type: 'string' },
    { id: 9, name: 'sku', type: 'string' },
    { id: 10, name: 'title', type: 'string' },
    { id: 11, name: 'product_type', type: 'string' },
    { id: 12, name: 'country', type: 'string' },
    { id: 13, name: 'device', type: 'string' },
    { id: 14, name: 'units', type: 'decimal(38, 6)' },
    { id: 15, name: 'is_bundle_credit', type: 'boolean' },
    { id: 16, name: 'trials', type: 'int' },
    { id: 17, name: 'proceeds', type: 'decimal(38, 6)' },
    { id: 18, name: 'proceeds_minor', type: 'long' },
    { id: 19, name: 'proceeds_currency', type: 'string' },
    { id: 20, name: 'customer_spend', type: 'decimal(38, 6)' },
    { id: 21, name: 'customer_spend_minor', type: 'long' },
    { id: 22, name: 'customer_currency', type: 'string' },
  ],
  specs: [{ id: 0, fields: [{ sourceId: 3, id: 1000, name: 'day_month', transform: 'month' }] }],
  sortedBy: [1, 7, 3, 4, 5],
};

async function* rows(db: Db, month: string): AsyncIterable<TextRow[]> {
  for await (const page of salesRows(db, month)) {
    yield page.map((row) => ({
      ...row,
      proceeds_minor: minorText(row.proceeds, row.proceeds_currency),
      customer_spend_minor: minorText(row.customer_spend, row.customer_currency),
    }));
  }
}

export const sales: MonthlyTable = { table: SALES, months: salesMonths, rows };
