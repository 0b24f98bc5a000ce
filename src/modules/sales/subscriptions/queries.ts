import type { SubscriptionPlan } from '../../../providers/store/port.ts';
import { type Db, firstRow } from '../../../storage/postgres.ts';
import type { VendorScope } from '../days/queries.ts';
import { ROWS_MAX, type SubscriptionCounts } from './model.ts';

export type Part = VendorScope & {
  storeAppId: string | null;
  country: string | null;
  subscriptionId: string | null;
};

const inPart = (db: Db, { orgId, vendorNumber, storeAppId, country, subscriptionId }: Part) => db`
  org_id = ${orgId} AND vendor_number = ${vendorNumber}
  AND (${storeAppId}::text IS NULL OR store_app_id = ${storeAppId})
  AND (${country}::text IS NULL OR country = ${country})
  AND (${subscriptionId}::text IS NULL OR subscription_id = ${subscriptionId})`;

const counts = (db: Db) => db`
  sum(paid) AS paid, sum(trials) AS trials, sum(opt_ins) AS "marketingOptIns",
  sum(grace) AS "gracePeriod", sum(billing_retry) AS "billingRetry"`;
const product = (db: Db) => db`
  store_app_id AS "storeAppId", subscription_id AS "subscriptionId", duration`;
const largestFirst = (db: Db) => db`
  sum(paid) DESC, sum(trials) DESC, sum(grace) + sum(billing_retry) DESC`;

export async function selectSubscriptionDays(
  db: Db,
  part: Part,
  { from, to }: { from: string; to: string },
): Promise<Map<string, SubscriptionCounts>> {
  const rows = await db<(SubscriptionCounts & { day: string })[]>`
    SELECT day::text, ${counts(db)} FROM store_subscriptions
    WHERE ${inPart(db, part)} AND day BETWEEN ${from} AND ${to} GROUP BY day`;
  return new Map(rows.map(({ day, ...row }) => [day, row]));
}

type Product = { storeAppId: string; subscriptionId: string; name: string; duration: string };

export const selectByProduct = async (db: Db, part: Part, day: string) => db<
  (SubscriptionCounts & Product & { groupId: string })[]
>`
    SELECT ${product(db)}, max(name) AS name, max(group_id) AS "groupId", ${counts(db)}
    FROM store_subscriptions WHERE ${inPart(db, part)} AND day = ${day}
    GROUP BY store_app_id, subscription_id, duration
    ORDER BY ${largestFirst(db)}, store_app_id, subscription_id LIMIT ${ROWS_MAX}`;

export const selectByCountry = async (db: Db, part: Part, day: string) => db<
  (SubscriptionCounts & { country: string })[]
>`
    SELECT country, ${counts(db)} FROM store_subscriptions
    WHERE ${inPart(db, part)} AND day = ${day}
    GROUP BY country ORDER BY ${largestFirst(db)}, country`;

type PriceRow = SubscriptionCounts &
  Product & {
    country: string;
    currency: string;
    customerPrice: string;
    proceedsCurrency: string;
    proceeds: string;
    preservedPrice: boolean;
    found: number;
  };

/** `found`: total before the limit. */
export const selectByPrice = async (db: Db, part: Part, day: string) => db<PriceRow[]>`
    SELECT ${product(db)}, max(name) AS name, country, customer_currency AS currency,
      customer_price::text AS "customerPrice", proceeds_currency AS "proceedsCurrency",
      proceeds::text, preserved_price AS "preservedPrice", ${counts(db)}, count(*) OVER () AS found
    FROM store_subscriptions WHERE ${inPart(db, part)} AND day = ${day}
    GROUP BY store_app_id, subscription_id, duration, country, customer_currency, customer_price,
      proceeds_currency, proceeds, preserved_price
    ORDER BY ${largestFirst(db)}, store_app_id, subscription_id, country, customer_price, proceeds,
      preserved_price LIMIT ${ROWS_MAX}`;

type OfferRow = SubscriptionCounts & {
  plan: SubscriptionPlan;
  offerName: string;
  offerId: string;
  found: number;
};

export const selectByOffer = async (db: Db, part: Part, day: string) => db<OfferRow[]>`
    SELECT plan, offer_name AS "offerName", offer_id AS "offerId", ${counts(db)},
      count(*) OVER () AS found
    FROM store_subscriptions WHERE ${inPart(db, part)} AND day = ${day}
    GROUP BY plan, offer_name, offer_id
    ORDER BY ${largestFirst(db)}, plan, offer_name, offer_id LIMIT ${ROWS_MAX}`;

export async function selectSkus(
  db: Db,
  { orgId, vendorNumber }: VendorScope,
  days: { from: string; to: string },
): Promise<Map<string, string>> {
  const rows = await db<{ storeId: string; sku: string }[]>`
    SELECT store_id AS "storeId", max(sku) AS sku FROM store_facts
    WHERE org_id = ${orgId} AND vendor_number = ${vendorNumber} AND report_type = 'SALES'
      AND day BETWEEN ${days.from} AND ${days.to} AND sku <> ''
    GROUP BY store_id`;
  return new Map(rows.map(({ storeId, sku }) => [storeId, sku]));
}

export const selectNewestPaid = (
  db: Db,
  { orgId, vendorNumber, storeAppId }: VendorScope & { storeAppId: string },
  { from, to }: { from: string; to: string },
) =>
  firstRow(db<{ day: string; paid: number }[]>`
    SELECT d.day::text, (
      SELECT coalesce(sum(s.paid), 0)::integer FROM store_subscriptions s
      WHERE s.org_id = d.org_id AND s.vendor_number = d.vendor_number AND s.day = d.day
        AND s.store_app_id = ${storeAppId}) AS paid
    FROM store_subscription_days d
    WHERE d.org_id = ${orgId} AND d.vendor_number = ${vendorNumber} AND d.rows > 0
      AND d.day BETWEEN ${from} AND ${to}
    ORDER BY d.day DESC LIMIT 1`);
