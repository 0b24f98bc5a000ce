import type { SalesFact } from '../../providers/store/report/facts.ts';
import { productType } from '../../providers/store/report/product-types.ts';
import { toMinor } from '../../shared/money.ts';
import type { Converter } from '../rates/rate-table.ts';
import { addSums, METRICS, type Metric, noSums, type Sums } from './metrics.ts';
import {
  addByKey,
  addMoney,
  type DayPartial,
  emptyPartial,
  type ProductSums,
  productKey,
} from './partial.ts';

/** Rows that belong to no app of the account (deleted ones, bundles): kept, never dropped. */
export const UNATTRIBUTED = 'unattributed';
const UNKNOWN = 'unknown';

/** A stored row of a report as far as analytics reads it; decimals are exact, as text. */
export type Fact = Omit<SalesFact, 'line'>;

export type AppIndex = { ids: ReadonlySet<string>; idBySku: ReadonlyMap<string, string> };
export type FoldContext = { day: string; convert: Converter; apps: AppIndex };

const AT = Object.fromEntries(METRICS.map((name, index) => [name, index]));
const at = (name: Metric): number => AT[name] ?? 0;

/** By id, then by the parent's SKU, then by the app's own SKU. */
export function appOf(fact: Fact, apps: AppIndex): string {
  for (const id of [fact.parentStoreId, fact.storeId]) {
    if (id && apps.ids.has(id)) return id;
  }
  for (const sku of [fact.parentSku, fact.sku]) {
    const id = sku ? apps.idBySku.get(sku) : undefined;
    if (id) return id;
  }
  return UNATTRIBUTED;
}

function countUnits(sums: Sums, fact: Fact): void {
  sums[at('trials')] = fact.trials * 100;
  // Credits of a bundle undo sales that were counted at the apps bought before: neither is a refund.
  if (fact.bundleCredit) return;
  const hundredths = Math.round(Number(fact.units) * 100);
  if (hundredths < 0) sums[at('refunds')] = -hundredths;
  else sums[at(productType(fact.productType).metric)] = hundredths;
}

/** One fact as integers, converted and rounded once. */
function sumsOf(fact: Fact, { convert, day }: FoldContext): { sums: Sums; native: number } {
  const sums = noSums();
  countUnits(sums, fact);
  const native = fact.proceedsCurrency === '' ? 0 : toMinor(fact.proceeds, fact.proceedsCurrency);
  const proceeds = convert(fact.proceeds, fact.proceedsCurrency, day);
  if (proceeds === null) sums[at('unconvertedProceedsMinor')] = native;
  else sums[at('proceedsMinor')] = proceeds;
  sums[at('customerSpendMinor')] = convert(fact.customerSpend, fact.customerCurrency, day) ?? 0;
  return { sums, native };
}

function addProduct(
  products: Map<string, ProductSums>,
  fact: Fact,
  storeAppId: string,
  sums: Sums,
): void {
  const { kind } = productType(fact.productType);
  const { storeId, sku, title } = fact;
  const key = productKey({ storeAppId, storeId, kind });
  const known = products.get(key);
  if (!known) {
    products.set(key, { storeAppId, storeId, sku, title, kind, sums: [...sums] });
    return;
  }
  addSums(known.sums, sums);
  known.sku ||= sku;
  known.title ||= title;
}

/** One day's facts, folded in one pass. */
export function foldDay(facts: Iterable<Fact>, context: FoldContext): DayPartial {
  const partial = emptyPartial();
  const products = new Map<string, ProductSums>();
  for (const fact of facts) {
    const { sums, native } = sumsOf(fact, context);
    const app = appOf(fact, context.apps);
    addSums(partial.totals, sums);
    addByKey(partial.apps, app, sums);
    addByKey(partial.countries, fact.country || UNKNOWN, sums);
    addByKey(partial.devices, fact.device || UNKNOWN, sums);
    addByKey(partial.kinds, productType(fact.productType).kind, sums);
    addByKey(partial.productTypes, fact.productType || UNKNOWN, sums);
    addProduct(products, fact, app, sums);
    if (fact.storeId === app && fact.title) partial.titles[app] = fact.title;
    if (native !== 0) addMoney(partial.currencies, fact.proceedsCurrency, native);
    const unconverted = sums[at('unconvertedProceedsMinor')] ?? 0;
    if (unconverted !== 0) addMoney(partial.unconverted, fact.proceedsCurrency, unconverted);
  }
  partial.products = [...products.values()];
  return partial;
}
