import { type Static, Type } from '@sinclair/typebox';
import { type ScaledAmount, scaledAmount } from '../../../shared/scaled-amount.ts';
import { parser } from '../../../shared/schema.ts';
import type { Fact } from './fold.ts';

/** Goes up whenever the same rows are packed into something else. */
const FORMAT = 1;

const Column = Type.Array(Type.Integer());
/** Scaled by ten thousand where that is exact, else the plain decimal. */
const AmountColumn = Type.Array(Type.Union([Type.Integer(), Type.String()]));

/**
 * The rows of one report, as columns of numbers: what a row sells, where and on what stand once in
 * lists of words. Rows that differ in nothing but their units are one row, `times` as often.
 */
const DayPackSchema = Type.Object({
  format: Type.Literal(FORMAT),
  products: Type.Array(
    Type.Object({
      storeId: Type.String(),
      parentStoreId: Type.Union([Type.String(), Type.Null()]),
      sku: Type.String(),
      parentSku: Type.Union([Type.String(), Type.Null()]),
      title: Type.String(),
      productType: Type.String(),
    }),
  ),
  countries: Type.Array(Type.String()),
  devices: Type.Array(Type.String()),
  currencies: Type.Array(Type.String()),
  product: Column,
  country: Column,
  device: Column,
  currency: Column,
  customerCurrency: Column,
  proceeds: AmountColumn,
  customerSpend: AmountColumn,
  times: Column,
  /** Hundredths of units. */
  sold: Column,
  refunded: Column,
  trials: Column,
});
export type DayPack = Static<typeof DayPackSchema>;
export type PackedProduct = DayPack['products'][number];

const dayPack = parser(DayPackSchema, 'analytics pack');

/** The pack, or null for one that another release of this service wrote. */
export function readPack(value: unknown): DayPack | null {
  return dayPack.check(value) ? value : null;
}

export type Packer = { add: (facts: readonly Fact[]) => void; pack: DayPack };

/** The place of each word in a list that grows as words come. */
function wordList(words: string[]): (word: string) => number {
  const places = new Map<string, number>();
  return (word) => {
    const known = places.get(word);
    if (known !== undefined) return known;
    places.set(word, words.length);
    return words.push(word) - 1;
  };
}

const emptyPack = (): DayPack => ({
  format: FORMAT,
  products: [],
  countries: [],
  devices: [],
  currencies: [],
  product: [],
  country: [],
  device: [],
  currency: [],
  customerCurrency: [],
  proceeds: [],
  customerSpend: [],
  times: [],
  sold: [],
  refunded: [],
  trials: [],
});

const productOf = (fact: Fact): PackedProduct => ({
  storeId: fact.storeId,
  parentStoreId: fact.parentStoreId,
  sku: fact.sku,
  parentSku: fact.parentSku,
  title: fact.title,
  productType: fact.productType,
});

const isOf = (fact: Fact, product: PackedProduct): boolean =>
  product.sku === fact.sku &&
  product.parentStoreId === fact.parentStoreId &&
  product.parentSku === fact.parentSku &&
  product.title === fact.title &&
  product.productType === fact.productType;

/** The place of what a fact sells; the few products of one id are told apart by looking at them. */
function productList(products: PackedProduct[]): (fact: Fact) => number {
  const places = new Map<string, number[]>();
  return (fact) => {
    const here = places.get(fact.storeId) ?? [];
    for (const place of here) {
      const product = products[place];
      if (product && isOf(fact, product)) return place;
    }
    const place = products.push(productOf(fact)) - 1;
    places.set(fact.storeId, [...here, place]);
    return place;
  };
}

const HASH_PRIME = 31;

/** The columns that rows which count as one have in common. */
const IDENTITY = [
  'product',
  'country',
  'device',
  'currency',
  'customerCurrency',
  'proceeds',
  'customerSpend',
] as const;
type Identity = readonly ScaledAmount[];

/**
 * The row of these values, a new one when there is none. By numbers alone: a key of text for each
 * row of a large report would be most of the memory that packing takes.
 */
function rowList(pack: DayPack): (values: Identity) => number {
  const newest = new Map<number, number>();
  const older: number[] = [];
  const isRow = (row: number, values: Identity) =>
    IDENTITY.every((name, index) => pack[name][row] === values[index]);
  return (values) => {
    let hash = 0;
    for (const value of values) hash = (Math.imul(hash, HASH_PRIME) + Number(value)) | 0;
    for (let row = newest.get(hash) ?? -1; row >= 0; row = older[row] ?? -1) {
      if (isRow(row, values)) return row;
    }
    const row = pack.times.length;
    older.push(newest.get(hash) ?? -1);
    newest.set(hash, row);
    const [product, country, device, currency, customerCurrency] = values.map(Number);
    pack.product.push(product ?? 0);
    pack.country.push(country ?? 0);
    pack.device.push(device ?? 0);
    pack.currency.push(currency ?? 0);
    pack.customerCurrency.push(customerCurrency ?? 0);
    pack.proceeds.push(values[5] ?? 0);
    pack.customerSpend.push(values[6] ?? 0);
    for (const counted of [pack.times, pack.sold, pack.refunded, pack.trials]) counted.push(0);
    return row;
  };
}

/** Packs the rows of one report as they come. */
export function createPacker(): Packer {
  const pack = emptyPack();
  const productAt = productList(pack.products);
  const countryAt = wordList(pack.countries);
  const deviceAt = wordList(pack.devices);
  const currencyAt = wordList(pack.currencies);
  const rowAt = rowList(pack);
  const count = (column: number[], row: number, more: number) => {
    column[row] = (column[row] ?? 0) + more;
  };
  const add = (fact: Fact) => {
    const row = rowAt([
      productAt(fact),
      countryAt(fact.country),
      deviceAt(fact.device),
      currencyAt(fact.proceedsCurrency),
      currencyAt(fact.customerCurrency),
      scaledAmount(fact.proceeds),
      scaledAmount(fact.customerSpend),
    ]);
    count(pack.times, row, 1);
    count(pack.trials, row, fact.trials);
    // Credits of a bundle undo sales that were counted at the apps bought before: neither is a refund.
    if (fact.bundleCredit) return;
    const hundredths = Math.round(Number(fact.units) * 100);
    count(hundredths < 0 ? pack.refunded : pack.sold, row, Math.abs(hundredths));
  };
  return { add: (facts) => facts.forEach(add), pack };
}
