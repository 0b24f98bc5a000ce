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

const isPackage = (name: string) => /^[A-Za-z][\w.]{0,199}$/.test(name);

export function packageOf(row: Cells): string {
  const name = row.cell(...PACKAGE);
  if (isPackage(name)) return name;
  throw unreadable(row, 'the package name is missing');
}

/** Only subscriptions have base plans; the newer column names purchase options too. */
function typeOf(row: Cells): string {
  const named = row.cell('Product Type').toLowerCase();
  if (row.cell('Base Plan ID') !== '') return SUBSCRIPTION;
  const known = TYPES[named];
  if (known !== undefined) return known;
  const hasPlan = row.cell('Base Plan or Purchase Option ID') !== '';
  return hasPlan ? SUBSCRIPTION : `play-${named.slice(0, 40)}`;
}

const goodsOf = (row: Cells) => ({
  sku: row.cell(...SKU).slice(0, 200),
  title: row.cell('Product Title').slice(0, 200),
  productType: typeOf(row),
});

export const productOf = (row: Cells): Product => ({
  packageName: packageOf(row),
  ...goodsOf(row),
});

/** Money of the whole account names no app. */
export function productOrAccount(row: Cells): Product {
  const name = row.cell(...PACKAGE);
  return name === '' ? { packageName: '', ...goodsOf(row) } : productOf(row);
}
