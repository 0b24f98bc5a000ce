import { type Static, Type } from '@sinclair/typebox';
import { scaledAmount } from '../../shared/scaled-amount.ts';
import { parser } from '../../shared/schema.ts';
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
function wordList<T>(list: T[], keyOf: (value: T) => string): (value: T) => number {
  const places = new Map<string, number>();
  return (value) => {
    const key = keyOf(value);
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, list.length);
    return list.push(value) - 1;
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

/** Packs the rows of one report as they come. */
export function createPacker(): Packer {
  const pack = emptyPack();
  const productAt = wordList(pack.products, (product) => Object.values(product).join('\t'));
  const same = (word: string) => word;
  const countryAt = wordList(pack.countries, same);
  const deviceAt = wordList(pack.devices, same);
  const currencyAt = wordList(pack.currencies, same);
  const rows = new Map<string, number>();
  const rowAt = (fact: Fact): number => {
    const product = productAt(productOf(fact));
    const country = countryAt(fact.country);
    const device = deviceAt(fact.device);
    const currency = currencyAt(fact.proceedsCurrency);
    const customerCurrency = currencyAt(fact.customerCurrency);
    const places = [product, country, device, currency, customerCurrency];
    const key = `${places.join(' ')} ${fact.proceeds} ${fact.customerSpend}`;
    const known = rows.get(key);
    if (known !== undefined) return known;
    const row = pack.product.push(product) - 1;
    rows.set(key, row);
    pack.country.push(country);
    pack.device.push(device);
    pack.currency.push(currency);
    pack.customerCurrency.push(customerCurrency);
    pack.proceeds.push(scaledAmount(fact.proceeds));
    pack.customerSpend.push(scaledAmount(fact.customerSpend));
    for (const counted of [pack.times, pack.sold, pack.refunded, pack.trials]) counted.push(0);
    return row;
  };
  const count = (column: number[], row: number, more: number) => {
    column[row] = (column[row] ?? 0) + more;
  };
  const add = (fact: Fact) => {
    const row = rowAt(fact);
    count(pack.times, row, 1);
    count(pack.trials, row, fact.trials);
    // Credits of a bundle undo sales that were counted at the apps bought before: neither is a refund.
    if (fact.bundleCredit) return;
    const hundredths = Math.round(Number(fact.units) * 100);
    count(hundredths < 0 ? pack.refunded : pack.sold, row, Math.abs(hundredths));
  };
  return { add: (facts) => facts.forEach(add), pack };
}
