import type { ReportRow } from './report.ts';
import { type Cells, unreadable } from './table.ts';

const PACKAGE = ['Package ID', 'Product ID', 'Package Name'];
const SKU = ['SKU ID'];

export const PRODUCT_COLUMNS = [PACKAGE, SKU, ['Product Type']] as const;

export type Product = Pick<ReportRow, 'packageName' | 'productType' | 'sku' | 'title'>;

const APP = 'play-app';
const IN_APP = 'play-inapp';
const SUBSCRIPTION = 'play-subscription';
export const INSTALL = 'play-install';

/** Some reports give numbers. */
const TYPES: Readonly<Record<string, string>> = {
  paidapp: APP,
  '0': APP,
  inapp: IN_APP,
  '1': IN_APP,
  subscription: SUBSCRIPTION,
};

export const isSubscription = ({ productType }: Product) => productType === SUBSCRIPTION;

export function packageOf(row: Cells): string {
  const name = row.cell(...PACKAGE);
  if (/^[A-Za-z][\w.]{0,199}$/.test(name)) return name;
  throw unreadable(row, 'the package name is missing');
}

/** Only subscriptions have base plans. */
export function productOf(row: Cells): Product {
  const named = row.cell('Product Type').toLowerCase();
  const hasPlan = row.cell('Base Plan ID', 'Base Plan or Purchase Option ID') !== '';
  const isPlan = hasPlan && TYPES[named] === undefined;
  return {
    packageName: packageOf(row),
    sku: row.cell(...SKU).slice(0, 200),
    title: row.cell('Product Title').slice(0, 200),
    productType: isPlan ? SUBSCRIPTION : (TYPES[named] ?? `play-${named.slice(0, 40)}`),
  };
}
