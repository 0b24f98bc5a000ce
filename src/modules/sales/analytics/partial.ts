import { type Static, Type } from '@sinclair/typebox';
import { KINDS } from '../../../providers/store/report/product-types.ts';
import { OneOf, parser } from '../../../shared/schema.ts';
import { addSums, METRICS, noSums, type Sums } from './metrics.ts';

const SumsSchema = Type.Array(Type.Integer(), {
  minItems: METRICS.length,
  maxItems: METRICS.length,
});
const ByKey = Type.Record(Type.String(), SumsSchema);
const Money = Type.Record(Type.String(), Type.Integer());

/**
 * Everything that the read model needs of one day in one currency. Each fact was converted and
 * rounded once; all parts are sums of the same integers, so any window of days adds up.
 */
const DayPartialSchema = Type.Object({
  totals: SumsSchema,
  apps: ByKey,
  countries: ByKey,
  devices: ByKey,
  kinds: ByKey,
  productTypes: ByKey,
  products: Type.Array(
    Type.Object({
      storeAppId: Type.String(),
      storeId: Type.String(),
      sku: Type.String(),
      title: Type.String(),
      kind: OneOf(KINDS),
      sums: SumsSchema,
    }),
  ),
  /** Proceeds in the currencies that the store pays in, minor units. */
  currencies: Money,
  /** The part of `currencies` that could not be converted. */
  unconverted: Money,
  /** What customers paid in currencies without a rate, minor units. */
  unconvertedSpend: Money,
  /** Titles of apps as the reports name them. */
  titles: Type.Record(Type.String(), Type.String()),
});
export type DayPartial = Static<typeof DayPartialSchema>;
export type ProductSums = DayPartial['products'][number];

export const dayPartial = parser(DayPartialSchema, 'analytics day');

export const emptyPartial = (): DayPartial => ({
  totals: noSums(),
  apps: {},
  countries: {},
  devices: {},
  kinds: {},
  productTypes: {},
  products: [],
  currencies: {},
  unconverted: {},
  unconvertedSpend: {},
  titles: {},
});

export function addByKey(into: Record<string, Sums>, key: string, sums: readonly number[]): void {
  const known = into[key];
  if (known) addSums(known, sums);
  else into[key] = [...sums];
}

export function addMoney(into: Record<string, number>, currency: string, minor: number): void {
  into[currency] = (into[currency] ?? 0) + minor;
}

const productKey = (product: Omit<ProductSums, 'sums' | 'sku' | 'title'>) =>
  `${product.storeAppId}\t${product.storeId}\t${product.kind}`;

/** Adds products of further days to an index; the names of the newest day stay. */
export function addProducts(
  index: Map<string, ProductSums>,
  products: readonly ProductSums[],
): void {
  for (const product of products) {
    const known = index.get(productKey(product));
    if (!known) {
      index.set(productKey(product), { ...product, sums: [...product.sums] });
      continue;
    }
    addSums(known.sums, product.sums);
    known.sku ||= product.sku;
    known.title ||= product.title;
  }
}

/** The sum of some days, given newest first. */
export function sumPartials(partials: Iterable<DayPartial>): DayPartial {
  const sum = emptyPartial();
  const products = new Map<string, ProductSums>();
  for (const partial of partials) {
    addSums(sum.totals, partial.totals);
    for (const part of ['apps', 'countries', 'devices', 'kinds', 'productTypes'] as const) {
      for (const [key, sums] of Object.entries(partial[part])) addByKey(sum[part], key, sums);
    }
    for (const part of ['currencies', 'unconverted', 'unconvertedSpend'] as const) {
      for (const [key, minor] of Object.entries(partial[part])) addMoney(sum[part], key, minor);
    }
    addProducts(products, partial.products);
    sum.titles = { ...partial.titles, ...sum.titles };
  }
  sum.products = [...products.values()];
  return sum;
}
