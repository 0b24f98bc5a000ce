import { at } from '../../../shared/assert.ts';
import type { ScaledAmount, ScaledConverter } from '../../../shared/scaled-amount.ts';
import type { StoreAppName } from '../collection/apps-queries.ts';
import type { DayPack, PackedProduct } from '../days/pack.ts';
import type { RateTable } from '../rates/rate-table.ts';
import { addSums, metricIndex, noSums, type Sums, type SumsByKey, ensureSums } from './metrics.ts';
import { type Kind, productType } from './product-types.ts';

/** Key of rows without an app of the account: deleted apps, bundles. */
export const UNATTRIBUTED = 'unattributed';
const UNKNOWN = 'unknown';

export type ProductFigures = {
  storeAppId: string;
  storeId: string;
  sku: string;
  title: string;
  kind: Kind;
  sums: Sums;
};

export const emptyFigures = () => ({
  days: new Map<string, SumsByKey>(),
  apps: new Map<string, Sums>(),
  countries: new Map<string, Sums>(),
  devices: new Map<string, Sums>(),
  kinds: new Map<string, Sums>(),
  productTypes: new Map<string, Sums>(),
  products: new Map<string, ProductFigures>(),
  currencies: new Map<string, number>(),
  unconverted: new Map<string, number>(),
  unconvertedByApp: new Map<string, Map<string, number>>(),
  unconvertedSpend: new Map<string, number>(),
  daysMissingRates: new Set<string>(),
  /** By the newest report. */
  titles: new Map<string, string>(),
});
export type Figures = ReturnType<typeof emptyFigures>;

export type AppIndex = { ids: ReadonlySet<string>; idBySku: ReadonlyMap<string, string> };
export type FoldContext = {
  day: string;
  currency: string;
  rates: RateTable;
  apps: AppIndex;
  part: Part;
};

export type Part = {
  storeAppId: string | null;
  country: string | null;
  sku: string | null;
  /** The store's ids of `sku`: trials name a product by these. */
  storeIds: ReadonlySet<string>;
};
export const WHOLE: Part = { storeAppId: null, country: null, sku: null, storeIds: new Set() };

function isOfPart(product: PackedProduct, apps: AppIndex, part: Part): boolean {
  const { storeAppId, sku, storeIds } = part;
  if (storeAppId !== null && findAppId(product, apps) !== storeAppId) return false;
  return sku === null || product.sku === sku || storeIds.has(product.storeId);
}

export function appIndex(apps: readonly Pick<StoreAppName, 'storeAppId' | 'sku'>[]): AppIndex {
  return {
    ids: new Set(apps.map(({ storeAppId }) => storeAppId)),
    idBySku: new Map(apps.filter(({ sku }) => sku).map(({ sku, storeAppId }) => [sku, storeAppId])),
  };
}

/** By id, else the parent's SKU, else the product's own. */
function findAppId(product: PackedProduct, { ids, idBySku }: AppIndex): string {
  for (const id of [product.parentStoreId, product.storeId]) if (id && ids.has(id)) return id;
  const { parentSku, sku } = product;
  return (parentSku && idBySku.get(parentSku)) || (sku && idBySku.get(sku)) || UNATTRIBUTED;
}

type Currency = { code: string; toTarget: ScaledConverter | null; toNative: ScaledConverter };

/** Whole minor units; zero needs no rate, null lacks one. */
function convert(amount: ScaledAmount, converter: ScaledConverter | null): number | null {
  return amount === 0 ? 0 : (converter?.(amount) ?? null);
}

function toNativeAmount(amount: ScaledAmount, { toNative }: Currency): number {
  const native = convert(amount, toNative);
  if (native === null) throw new RangeError('The amount is out of range.');
  return native;
}

/** No entry for zero. */
function addMoney(into: Map<string, number>, { code }: Currency, minor: number): boolean {
  if (minor === 0) return false;
  into.set(code, (into.get(code) ?? 0) + minor);
  return true;
}

const [PROCEEDS, SPEND, UNCONVERTED, REFUNDS, TRIALS, PAID, RENEWED, UNSAID] = [
  metricIndex('proceedsMinor'),
  metricIndex('customerSpendMinor'),
  metricIndex('unconvertedProceedsMinor'),
  metricIndex('refunds'),
  metricIndex('trials'),
  metricIndex('paidUnits'),
  metricIndex('renewedSubscriptionUnits'),
  metricIndex('unsaidSubscriptionUnits'),
];

const SUBSCRIPTIONS = metricIndex('subscriptionUnits');

/** Once, after conversion. */
function addMoneyOf(
  pack: DayPack,
  row: number,
  currencies: readonly Currency[],
  day: string,
  sums: Sums,
  into: Figures,
): void {
  const times = at(pack.times, row);
  const paidOut = at(currencies, at(pack.currency, row));
  const proceeds = at(pack.proceeds, row);
  const native = toNativeAmount(proceeds, paidOut) * times;
  addMoney(into.currencies, paidOut, native);
  const converted = convert(proceeds, paidOut.toTarget);
  if (converted !== null) {
    sums[PROCEEDS] = converted * times;
  } else {
    sums[UNCONVERTED] = native;
    if (addMoney(into.unconverted, paidOut, native)) into.daysMissingRates.add(day);
  }
  const paid = at(currencies, at(pack.customerCurrency, row));
  const spend = at(pack.customerSpend, row);
  const convertedSpend = convert(spend, paid.toTarget);
  if (convertedSpend !== null) {
    sums[SPEND] = convertedSpend * times;
  } else if (addMoney(into.unconvertedSpend, paid, toNativeAmount(spend, paid) * times)) {
    into.daysMissingRates.add(day);
  }
}

function addProduct(product: PackedProduct, sums: Sums, context: FoldContext, into: Figures) {
  const { storeId, sku, title } = product;
  const storeAppId = findAppId(product, context.apps);
  const { kind } = productType(product.productType);
  const ofDay = into.days.get(context.day) ?? new Map();
  into.days.set(context.day, ofDay);
  addSums(ensureSums(ofDay, storeAppId), sums);
  addSums(ensureSums(into.apps, storeAppId), sums);
  addSums(ensureSums(into.kinds, kind), sums);
  addSums(ensureSums(into.productTypes, product.productType || UNKNOWN), sums);
  if (storeId === storeAppId && title && !into.titles.has(storeAppId)) {
    into.titles.set(storeAppId, title);
  }
  const key = `${storeAppId}\t${storeId}\t${kind}`;
  const present = into.products.get(key);
  if (!present) {
    into.products.set(key, { storeAppId, storeId, sku, title, kind, sums });
    return;
  }
  addSums(present.sums, sums);
  present.sku ||= sku;
  present.title ||= title;
}

/** Newest first: the newest names win. */
export function foldPack(pack: DayPack, context: FoldContext, into: Figures): void {
  const { day, currency: target, rates } = context;
  const currencies = pack.currencies.map((code) => ({
    code,
    toTarget: rates.converter(code, target, day),
    toNative: rates.converterToMinor(code),
  }));
  const products = pack.products.map((product) => ({
    product,
    app: findAppId(product, context.apps),
    units: metricIndex(productType(product.productType).metric),
    sums: noSums(),
    isIn: isOfPart(product, context.apps, context.part),
    hasRows: false,
  }));
  const { country } = context.part;
  const sumsOfCountry = sumsByIndex(pack.countries, into.countries);
  const sumsOfDevice = sumsByIndex(pack.devices, into.devices);
  const sums = noSums();
  for (let row = 0; row < pack.times.length; row += 1) {
    const product = at(products, at(pack.product, row));
    if (!product.isIn) continue;
    if (country !== null && at(pack.countries, at(pack.country, row)) !== country) continue;
    product.hasRows = true;
    sums.fill(0);
    addMoneyOf(pack, row, currencies, day, sums, into);
    const unconverted = at(sums, UNCONVERTED);
    if (unconverted !== 0) {
      const ofApp = into.unconvertedByApp.get(product.app) ?? new Map<string, number>();
      addMoney(ofApp, at(currencies, at(pack.currency, row)), unconverted);
      into.unconvertedByApp.set(product.app, ofApp);
    }
    sums[product.units] = at(pack.sold, row);
    sums[REFUNDS] = at(pack.refunded, row);
    sums[TRIALS] = at(pack.trials, row) * 100;
    if (at(pack.customerSpend, row) !== 0 || at(pack.proceeds, row) !== 0) {
      sums[PAID] = at(pack.sold, row);
    }
    if (product.units === SUBSCRIPTIONS) {
      sums[RENEWED] = at(pack.renewed, row);
      sums[UNSAID] = at(pack.unsaid, row);
    }
    addSums(product.sums, sums);
    addSums(sumsOfCountry(at(pack.country, row)), sums);
    addSums(sumsOfDevice(at(pack.device, row)), sums);
  }
  for (const { product, sums: sold, hasRows } of products) {
    if (hasRows) addProduct(product, sold, context, into);
  }
}

function sumsByIndex(names: readonly string[], byKey: SumsByKey): (index: number) => Sums {
  const found: Sums[] = [];
  return (index) => {
    found[index] ??= ensureSums(byKey, at(names, index) || UNKNOWN);
    return found[index];
  };
}
