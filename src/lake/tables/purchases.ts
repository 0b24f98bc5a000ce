import { plainDecimal } from '../../shared/decimal.ts';
import type { Db } from '../../storage/postgres.ts';
import type { TableDefinition } from '../format/types.ts';
import { purchaseMonths, purchaseRows } from './facts-queries.ts';
import type { MonthlyTable } from './own-table.ts';
import { minorText } from './sales.ts';
import type { TextRow } from './write.ts';

const PURCHASES: TableDefinition = {
  name: 'purchases',
  doc: 'Transactions as the store signed them last, without what was signed',
  fields: [
    { id: 1, name: 'org_id', type: 'string' },
    { id: 2, name: 'app_id', type: 'string' },
    { id: 3, name: 'environment', type: 'string' },
    { id: 4, name: 'transaction_id', type: 'string' },
    { id: 5, name: 'original_transaction_id', type: 'string' },
    { id: 6, name: 'product_id', type: 'string' },
    { id: 7, name: 'product_type', type: 'string' },
    { id: 8, name: 'purchased_at', type: 'timestamptz' },
    { id: 9, name: 'expires_at', type: 'timestamptz' },
    { id: 10, name: 'revoked_at', type: 'timestamptz' },
    { id: 11, name: 'refunded_percent_milliunits', type: 'long' },
    { id: 12, name: 'ownership', type: 'string' },
    { id: 13, name: 'is_free_trial', type: 'boolean' },
    { id: 14, name: 'is_upgraded', type: 'boolean' },
    { id: 15, name: 'quantity', type: 'long' },
    { id: 16, name: 'price_milliunits', type: 'long' },
    { id: 17, name: 'price_minor', type: 'long' },
    { id: 18, name: 'currency', type: 'string' },
    { id: 19, name: 'storefront', type: 'string' },
    { id: 20, name: 'subscription_group', type: 'string' },
    { id: 21, name: 'offer_discount_type', type: 'string' },
    { id: 22, name: 'user_id', type: 'string' },
    { id: 23, name: 'anonymous_id', type: 'string' },
    { id: 24, name: 'signed_at', type: 'timestamptz' },
  ],
  specs: [
    { id: 0, fields: [{ sourceId: 8, id: 1000, name: 'purchased_at_month', transform: 'month' }] },
  ],
  sortedBy: [2, 5, 8, 4],
};

/** 10990 is 10.99. */
const MILLIUNIT_SCALE = 3;

const ofMilliunits = (milliunits: string) =>
  plainDecimal(milliunits.startsWith('-'), milliunits.replace('-', ''), MILLIUNIT_SCALE);

async function* rows(db: Db, month: string): AsyncIterable<TextRow[]> {
  for await (const page of purchaseRows(db, month)) {
    yield page.map((row) => {
      const { price_milliunits: price, currency } = row;
      const isPriced = price !== null && currency !== null;
      return { ...row, price_minor: isPriced ? minorText(ofMilliunits(price), currency) : null };
    });
  }
}

export const purchases: MonthlyTable = { table: PURCHASES, months: purchaseMonths, rows };
