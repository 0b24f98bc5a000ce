import type { Db } from '../../../storage/postgres.ts';
import type { VendorScope } from '../days/queries.ts';

export type PriceRow = {
  storeId: string;
  name: string;
  country: string;
  currency: string;
  day: string;
  price: string;
  count: number;
};

type Days = { from: string; to: string };

const MAX_ROWS = 200_000;

/** Without subscriptions. */
export async function selectSoldPrices(
  db: Db,
  scope: VendorScope & { storeAppId: string; sku: string },
  { from, to }: Days,
): Promise<PriceRow[]> {
  const { orgId, vendorNumber, storeAppId, sku } = scope;
  return db`
    WITH sold AS (
      SELECT store_id, country, customer_currency AS currency, day,
        round(customer_spend / units, 6) AS price, max(title) AS name, sum(units)::float8 AS count
      FROM store_facts
      WHERE org_id = ${orgId} AND vendor_number = ${vendorNumber} AND report_type = 'SALES'
        AND day BETWEEN ${from} AND ${to} AND units > 0 AND customer_spend > 0
        AND product_type !~ '^IA[YC]'
        AND (${storeAppId} IN (store_id, parent_store_id) OR (${sku} <> '' AND parent_sku = ${sku}))
      GROUP BY store_id, country, customer_currency, day, round(customer_spend / units, 6)
    )
    SELECT store_id AS "storeId", name, country, currency, day::text,
      trim_scale(price)::text AS price, count
    FROM sold WHERE (store_id, country, currency) IN (
      SELECT store_id, country, currency FROM sold
      GROUP BY store_id, country, currency HAVING min(price) < max(price))
    ORDER BY store_id, country, currency, day, price LIMIT ${MAX_ROWS}`;
}

export async function selectSubscribedPrices(
  db: Db,
  scope: VendorScope & { storeAppId: string },
  { from, to }: Days,
): Promise<PriceRow[]> {
  const { orgId, vendorNumber, storeAppId } = scope;
  return db`
    WITH had AS (
      SELECT subscription_id, country, customer_currency AS currency, day,
        customer_price AS price, max(name) AS name, sum(paid) AS count
      FROM store_subscriptions
      WHERE org_id = ${orgId} AND vendor_number = ${vendorNumber}
        AND store_app_id = ${storeAppId} AND day BETWEEN ${from} AND ${to}
        AND plan = 'standard' AND paid > 0 AND NOT preserved_price
      GROUP BY subscription_id, country, customer_currency, day, customer_price
    )
    SELECT subscription_id AS "storeId", name, country, currency, day::text,
      trim_scale(price)::text AS price, count
    FROM had WHERE (subscription_id, country, currency) IN (
      SELECT subscription_id, country, currency FROM had
      GROUP BY subscription_id, country, currency HAVING min(price) < max(price))
    ORDER BY subscription_id, country, currency, day, price LIMIT ${MAX_ROWS}`;
}
