import type { SalesFact } from '../../../providers/store/report/facts.ts';
import { productType } from '../../../providers/store/report/product-types.ts';
import type { ScaledAmount, ScaledConverter } from '../../../shared/scaled-amount.ts';
import type { RateTable } from '../rates/rate-table.ts';
import { addSums, METRICS, type Metric, noSums, type Sums } from './metrics.ts';
import type { DayPack, PackedProduct } from './pack.ts';
import {
  addByKey,
  addMoney,
  addProducts,
  type DayPartial,
  emptyPartial,
  type ProductSums,
} from './partial.ts';

/** Rows that belong to no app of the account (deleted ones, bundles): kept, never dropped. */
export const UNATTRIBUTED = 'unattributed';
const UNKNOWN = 'unknown';

/** A stored row of a report as far as analytics reads it; decimals are exact, as text. */
export type Fact = Omit<SalesFact, 'line'>;

export type AppIndex = { ids: ReadonlySet<string>; idBySku: ReadonlyMap<string, string> };
export type FoldContext = {
  day: string;
  currency: string;
  rates: Pick<RateTable, 'converter'>;
  apps: AppIndex;
};

const AT = Object.fromEntries(METRICS.map((name, index) => [name, index]));
const at = (name: Metric): number => AT[name] ?? 0;

/** By id, then by the parent's SKU, then by the app's own SKU. */
function appOf(product: PackedProduct, apps: AppIndex): string {
  for (const id of [product.parentStoreId, product.storeId]) {
    if (id && apps.ids.has(id)) return id;
  }
  for (const sku of [product.parentSku, product.sku]) {
    const id = sku ? apps.idBySku.get(sku) : undefined;
    if (id) return id;
  }
  return UNATTRIBUTED;
}

/** A currency of the reports: how it converts, and what it comes to on the day. */
type Purse = {
  currency: string;
  convert: ScaledConverter | null;
  toNative: ScaledConverter | null;
  /** Null until there is money in it. */
  native: number | null;
  /** What could not be converted: proceeds, and what customers paid. */
  unconverted: number | null;
  unconvertedSpend: number | null;
};

function pursesOf(pack: DayPack, { rates, currency: target, day }: FoldContext): Purse[] {
  return pack.currencies.map((currency) => ({
    currency,
    convert: rates.converter(currency, target, day),
    toNative: currency === '' ? null : rates.converter(currency, currency, day),
    native: null,
    unconverted: null,
    unconvertedSpend: null,
  }));
}

/** Nothing is worth nothing in any currency, also without a rate. */
function converted(amount: ScaledAmount, convert: ScaledConverter | null): number | null {
  if (amount === 0) return 0;
  return convert ? convert(amount) : null;
}

function nativeOf(amount: ScaledAmount, { toNative }: Purse): number {
  if (amount === 0 || toNative === null) return 0;
  const native = toNative(amount);
  if (native === null) throw new RangeError('An amount is out of range.');
  return native;
}

/** The money of one row, each of its facts converted and rounded once, added to `sums`. */
function addMoneyOf(pack: DayPack, row: number, purses: readonly Purse[], sums: Sums): void {
  const times = pack.times[row] ?? 0;
  const purse = purses[pack.currency[row] ?? -1];
  const customerPurse = purses[pack.customerCurrency[row] ?? -1];
  if (!purse || !customerPurse) throw new Error('A pack names a currency that it does not list.');
  const amount = pack.proceeds[row] ?? 0;
  const native = nativeOf(amount, purse) * times;
  if (native !== 0) purse.native = (purse.native ?? 0) + native;
  const proceeds = converted(amount, purse.convert);
  if (proceeds !== null) {
    sums[at('proceedsMinor')] = proceeds * times;
  } else {
    sums[at('unconvertedProceedsMinor')] = native;
    if (native !== 0) purse.unconverted = (purse.unconverted ?? 0) + native;
  }
  addSpend(pack.customerSpend[row] ?? 0, times, customerPurse, sums);
}

function addSpend(amount: ScaledAmount, times: number, purse: Purse, sums: Sums): void {
  const spend = converted(amount, purse.convert);
  if (spend !== null) {
    sums[at('customerSpendMinor')] = spend * times;
    return;
  }
  const native = nativeOf(amount, purse) * times;
  if (native !== 0) purse.unconvertedSpend = (purse.unconvertedSpend ?? 0) + native;
}

const lists = (count: number): Sums[] => Array.from({ length: count }, noSums);

/** Each list of sums under the word that it belongs to. */
function keyedSums(
  into: Record<string, Sums>,
  keys: readonly string[],
  sums: readonly Sums[],
): void {
  for (const [index, key] of keys.entries()) {
    addByKey(into, key || UNKNOWN, sums[index] ?? noSums());
  }
}

/** What was sold says whose it is and of which kind: those sums are sums of products. */
function addSold(
  pack: DayPack,
  { apps }: FoldContext,
  byProduct: readonly Sums[],
  into: DayPartial,
): void {
  const products = new Map<string, ProductSums>();
  pack.products.forEach((product, index) => {
    const sums = byProduct[index] ?? noSums();
    const app = appOf(product, apps);
    const { storeId, sku, title } = product;
    const { kind } = productType(product.productType);
    addSums(into.totals, sums);
    addByKey(into.apps, app, sums);
    addByKey(into.kinds, kind, sums);
    addByKey(into.productTypes, product.productType || UNKNOWN, sums);
    addProducts(products, [{ storeAppId: app, storeId, sku, title, kind, sums }]);
    if (storeId === app && title) into.titles[app] = title;
  });
  into.products = [...products.values()];
}

/** The rows of one report, folded in one pass over their numbers. */
export function foldPack(pack: DayPack, context: FoldContext): DayPartial {
  const byProduct = lists(pack.products.length);
  const byCountry = lists(pack.countries.length);
  const byDevice = lists(pack.devices.length);
  const unitMetrics = pack.products.map((one) => at(productType(one.productType).metric));
  const purses = pursesOf(pack, context);
  const sums = noSums();
  for (let row = 0; row < pack.times.length; row += 1) {
    const product = pack.product[row] ?? -1;
    sums.fill(0);
    addMoneyOf(pack, row, purses, sums);
    sums[unitMetrics[product] ?? 0] = pack.sold[row] ?? 0;
    sums[at('refunds')] = pack.refunded[row] ?? 0;
    sums[at('trials')] = (pack.trials[row] ?? 0) * 100;
    for (const kept of [
      byProduct[product],
      byCountry[pack.country[row] ?? -1],
      byDevice[pack.device[row] ?? -1],
    ]) {
      if (!kept) throw new Error('A pack names a word that it does not list.');
      addSums(kept, sums);
    }
  }
  const partial = emptyPartial();
  addSold(pack, context, byProduct, partial);
  keyedSums(partial.countries, pack.countries, byCountry);
  keyedSums(partial.devices, pack.devices, byDevice);
  for (const { currency, native, unconverted, unconvertedSpend } of purses) {
    if (native !== null) addMoney(partial.currencies, currency, native);
    if (unconverted !== null) addMoney(partial.unconverted, currency, unconverted);
    if (unconvertedSpend !== null) {
      addMoney(partial.unconvertedSpend, currency, unconvertedSpend);
    }
  }
  return partial;
}
