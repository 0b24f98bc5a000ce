import { type Db, column } from '../../../storage/postgres.ts';
import type { VendorScope } from '../days/queries.ts';

export type TermsScope = VendorScope & { storeAppId: string; sku: string };
type Days = { from: string; to: string };

export async function selectReportDays(
  db: Db,
  { orgId, vendorNumber }: VendorScope,
  to: string,
): Promise<{ sales: string | null; subscriptions: string | null }> {
  const [row] = await db<{ sales: string | null; subscriptions: string | null }[]>`
    SELECT (
      SELECT max(day)::text FROM store_days WHERE org_id = ${orgId}
        AND vendor_number = ${vendorNumber} AND report_type = 'SALES' AND rows > 0
        AND day <= ${to}) AS sales,
      (SELECT max(day)::text FROM store_subscription_days WHERE org_id = ${orgId}
        AND vendor_number = ${vendorNumber} AND rows > 0 AND day <= ${to}) AS subscriptions`;
  return row ?? { sales: null, subscriptions: null };
}

/** Price of one product in a country and currency. */
export type PaidOut = {
  storeId: string;
  sku: string | null;
  country: string;
  currency: string;
  proceedsCurrency: string;
  spent: string;
  proceeds: string;
};

/** By daily snapshots: price and proceeds of one period. */
export const selectSubscribedTerms = async (
  db: Db,
  { orgId, vendorNumber, storeAppId }: TermsScope,
  { from, to }: Days,
) => db<PaidOut[]>`
    SELECT subscription_id AS "storeId", NULL AS sku, country, customer_currency AS currency,
      proceeds_currency AS "proceedsCurrency",
      sum(customer_price * paid)::text AS spent, sum(proceeds * paid)::text AS proceeds
    FROM store_subscriptions
    WHERE org_id = ${orgId} AND vendor_number = ${vendorNumber} AND store_app_id = ${storeAppId}
      AND day BETWEEN ${from} AND ${to} AND paid > 0 AND customer_price > 0
    GROUP BY subscription_id, country, customer_currency, proceeds_currency`;

export const selectReportedDurations = async (
  db: Db,
  { orgId, vendorNumber, storeAppId }: TermsScope,
) => db<{ storeId: string; duration: string }[]>`
    SELECT DISTINCT ON (s.subscription_id) s.subscription_id AS "storeId", s.duration
    FROM (
      SELECT max(day) AS day FROM store_subscription_days
      WHERE org_id = ${orgId} AND vendor_number = ${vendorNumber} AND rows > 0
      GROUP BY date_trunc('month', day)
    ) last
    JOIN store_subscriptions s ON s.org_id = ${orgId} AND s.vendor_number = ${vendorNumber}
      AND s.day = last.day AND s.store_app_id = ${storeAppId}
    ORDER BY s.subscription_id, s.day DESC, s.duration`;

export const selectSoldTerms = async (
  db: Db,
  { orgId, vendorNumber, storeAppId, sku }: TermsScope,
  { from, to }: Days,
) => db<PaidOut[]>`
    SELECT store_id AS "storeId", max(nullif(sku, '')) AS sku, country,
      customer_currency AS currency, proceeds_currency AS "proceedsCurrency",
      sum(customer_spend)::text AS spent, sum(proceeds)::text AS proceeds
    FROM store_facts
    WHERE org_id = ${orgId} AND vendor_number = ${vendorNumber} AND report_type = 'SALES'
      AND day BETWEEN ${from} AND ${to} AND units > 0 AND customer_spend > 0
      AND product_type ~ '^IA[YC]'
      AND (${storeAppId} IN (store_id, parent_store_id) OR (${sku} <> '' AND parent_sku = ${sku}))
    GROUP BY store_id, country, customer_currency, proceeds_currency`;

export async function selectSkusOf(
  db: Db,
  { orgId, vendorNumber }: VendorScope,
  storeIds: readonly string[],
  { from, to }: Days,
): Promise<Map<string, string>> {
  if (storeIds.length === 0) return new Map();
  const rows = await db<{ storeId: string; sku: string }[]>`
    SELECT store_id AS "storeId", max(sku) AS sku FROM store_facts
    WHERE org_id = ${orgId} AND vendor_number = ${vendorNumber} AND report_type = 'SALES'
      AND day BETWEEN ${from} AND ${to} AND store_id = ANY (${[...storeIds]}) AND sku <> ''
    GROUP BY store_id`;
  return new Map(rows.map(({ storeId, sku }) => [storeId, sku]));
}

export const selectReportedProducts = (
  db: Db,
  { orgId, vendorNumber, storeAppId, sku }: TermsScope,
  limit: number,
) =>
  column(db<{ sku: string }[]>`
    SELECT DISTINCT sku FROM store_facts
    WHERE org_id = ${orgId} AND vendor_number = ${vendorNumber} AND report_type = 'SALES'
      AND product_type LIKE 'IA%' AND sku <> ''
      AND (parent_store_id = ${storeAppId} OR (${sku} <> '' AND parent_sku = ${sku}))
    ORDER BY sku LIMIT ${limit}`);
