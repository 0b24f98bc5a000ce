import type { Deps } from '../../../context.ts';
import { toDecimal, scaleExactly } from '../../../shared/decimal.ts';
import { minorExponent } from '../../../shared/money.ts';
import { addDays } from '../../../shared/pacific.ts';
import { selectAppNames } from '../collection/apps-queries.ts';
import { selectAccount } from '../collection/connection-queries.ts';
import { selectSkus } from '../subscriptions/queries.ts';
import {
  type Change,
  changesOfSales,
  changesOfSubscribers,
  type PriceDay,
  UNSEEN_DAYS,
} from './changes.ts';
import { type PriceRow, selectSoldPrices, selectSubscribedPrices } from './queries.ts';

export type PriceChange = {
  day: string;
  /** The app's own name, else the store's id. */
  productId: string;
  productName: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  currency: string;
  fromMinor: number;
  toMinor: number;
};

/** A new price in every country is about 175 changes. */
const MAX_CHANGES = 1_000;
/** Days after the last, for the end of the old price. */
const AFTER_DAYS = 7;
const ONE = toDecimal('1');

const minorOf = (amount: string, currency: string) =>
  scaleExactly(toDecimal(amount), ONE, ONE, minorExponent(currency));

type Product = Pick<PriceRow, 'storeId' | 'name' | 'country' | 'currency'>;

function findChanges(
  rows: readonly PriceRow[],
  rule: (days: readonly PriceDay[]) => Change[],
): (Product & Change)[] {
  const byProduct = Map.groupBy(rows, (row) => `${row.storeId}\t${row.country}\t${row.currency}`);
  return [...byProduct.values()].flatMap((own) => {
    const byDay = Map.groupBy(own, ({ day }) => day);
    const days = [...byDay].map(([day, prices]) => ({
      day,
      counts: new Map(prices.map(({ price, count }) => [price, count])),
    }));
    return rule(days).flatMap((change) => {
      const row = own.find(({ day }) => day === change.day);
      return row ? [{ ...change, ...pickProduct(row) }] : [];
    });
  });
}

const pickProduct = ({ storeId, name, country, currency }: PriceRow): Product => ({
  storeId,
  name,
  country,
  currency,
});

/** Pacific days, newest first. Empty without a store link. */
export async function listPriceChanges(
  { sql }: Pick<Deps, 'sql'>,
  input: { orgId: string; appId: string; from: string; to: string },
): Promise<PriceChange[]> {
  const { orgId, appId, from, to } = input;
  const [account, apps] = await Promise.all([
    selectAccount(sql, orgId),
    selectAppNames(sql, orgId),
  ]);
  const app = apps.find((one) => one.appId === appId);
  if (!account || !app) return [];
  const { vendorNumber } = account;
  const scope = { orgId, vendorNumber, storeAppId: app.storeAppId, sku: app.sku };
  const days = { from: addDays(from, -UNSEEN_DAYS - 1), to: addDays(to, AFTER_DAYS) };
  const [sold, subscribed] = await Promise.all([
    selectSoldPrices(sql, scope, days),
    selectSubscribedPrices(sql, scope, days),
  ]);
  const changes = [
    ...findChanges(sold, changesOfSales),
    ...findChanges(subscribed, changesOfSubscribers),
  ].filter(({ day }) => day >= from && day <= to);
  if (changes.length === 0) return [];
  const skus = await selectSkus(sql, scope, days);
  return changes
    .map(({ day, storeId, name, country, currency, ...change }) => ({
      day,
      productId: skus.get(storeId) ?? storeId,
      productName: name,
      country,
      currency,
      fromMinor: minorOf(change.from, currency),
      toMinor: minorOf(change.to, currency),
    }))
    .toSorted(
      (a, b) =>
        b.day.localeCompare(a.day) ||
        a.productId.localeCompare(b.productId) ||
        a.country.localeCompare(b.country) ||
        a.currency.localeCompare(b.currency),
    )
    .slice(0, MAX_CHANGES);
}
