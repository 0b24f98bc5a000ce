import { onlyRow } from '../../shared/assert.ts';
import { type Db, column } from '../../storage/postgres.ts';
import { isTrial, refundedMs } from '../../storage/purchase-period.ts';
import { readPages } from '../../storage/read-pages.ts';
import type { TextRow } from './write.ts';

const PAGE = 10_000;

export const salesMonths = (db: Db) =>
  column(db<{ month: string }[]>`
    SELECT DISTINCT date_trunc('month', day)::date::text AS month FROM store_days
    WHERE rows > 0 ORDER BY 1`);

export type SalesRow = TextRow & {
  proceeds: string;
  proceeds_currency: string;
  customer_spend: string;
  customer_currency: string;
};

/** App: parent's store id, own store id, parent's SKU, own SKU; of Google Play the package. */
export function salesRows(db: Db, month: string): AsyncIterable<SalesRow[]> {
  return readPages(
    db<SalesRow[]>`
    SELECT f.org_id, f.vendor_number, f.day::text, f.report_type, f.line::text,
      coalesce(app.app_id, app_of_package(f.org_id, play.store_app_id)) AS app_id,
      coalesce(app.store_app_id, play.store_app_id) AS store_app_id, f.store_id, f.sku, f.title,
      f.product_type, f.country, f.device, f.units::text, f.bundle_credit::text AS is_bundle_credit, f.trials::text,
      trim_scale(f.proceeds)::text AS proceeds, f.proceeds_currency,
      trim_scale(f.customer_spend)::text AS customer_spend, f.customer_currency
    FROM (SELECT DISTINCT org_id, vendor_number FROM store_days) v
    JOIN store_facts f USING (org_id, vendor_number)
    LEFT JOIN LATERAL (
      SELECT a.store_app_id, a.app_id FROM store_apps a
      WHERE a.org_id = f.org_id AND (a.store_app_id IN (f.parent_store_id, f.store_id)
        OR (a.sku <> '' AND a.sku IN (f.parent_sku, f.sku)))
      ORDER BY CASE WHEN a.store_app_id = f.parent_store_id THEN 1
        WHEN a.store_app_id = f.store_id THEN 2 WHEN a.sku = f.parent_sku THEN 3 ELSE 4 END,
        a.store_app_id
      LIMIT 1) app ON true
    LEFT JOIN LATERAL (
      SELECT coalesce(f.parent_store_id, f.store_id) AS store_app_id
      WHERE starts_with(f.vendor_number, 'gs://')) play ON true
    WHERE f.day >= ${month}::date AND f.day < ${month}::date + interval '1 month'`,
    PAGE,
  );
}

export const purchaseMonths = (db: Db) =>
  column(db<{ month: string }[]>`
    SELECT DISTINCT purchase_month(snapshot)::text AS month FROM purchase_transactions
    WHERE purchase_month(snapshot) IS NOT NULL ORDER BY 1`);

export type PurchaseRow = TextRow & { price_milliunits: string | null; currency: string | null };

/** Buyer: first linked user, else account token's user, else first device. */
export function purchaseRows(db: Db, month: string): AsyncIterable<PurchaseRow[]> {
  const said = db`t.snapshot ->>`;
  const at = (field: string) => db`
    CASE WHEN ${said} ${field} ~ '^\\d{1,14}$'
      THEN to_timestamp((${said} ${field})::bigint / 1000.0)::text END`;
  return readPages(
    db<PurchaseRow[]>`
    SELECT t.org_id, t.app_id, t.environment, t.transaction_id, t.original_transaction_id,
      ${said} 'productId' AS product_id, ${said} 'type' AS product_type,
      ${at('purchasedAt')} AS purchased_at, ${at('expiresAt')} AS expires_at,
      ${at('revokedAt')} AS revoked_at,
      (CASE WHEN ${refundedMs(db, 't')} IS NULL THEN 0
        ELSE coalesce(t.revocation_percentage_milliunits, 100000) END)::text
        AS refunded_percent_milliunits,
      ${said} 'ownership' AS ownership, ${isTrial(db, 't')}::text AS is_free_trial,
      ${said} 'upgraded' AS is_upgraded, t.quantity::text, t.price_milliunits::text, t.currency,
      t.storefront, t.subscription_group, t.offer_discount_type,
      CASE WHEN buyer.kind IN ('user', 'token') THEN buyer.known_as END AS user_id,
      CASE WHEN buyer.kind = 'anonymous' THEN buyer.person_id END AS anonymous_id,
      to_timestamp(t.signed_ms / 1000.0)::text AS signed_at
    FROM purchase_transactions t
    LEFT JOIN LATERAL purchase_buyer(t.org_id, t.app_id, t.environment,
      t.original_transaction_id) buyer ON true
    WHERE purchase_month(t.snapshot) = ${month}::date`,
    PAGE,
  );
}

const namedProducts = (db: Db) => db`
  SELECT e.org_id, e.app_id, e.name, product.id AS product_id
  FROM purchase_entitlements e
  JOIN apps a ON a.org_id = e.org_id AND a.app_id = e.app_id AND a.deleted_at IS NULL
  CROSS JOIN LATERAL unnest(e.product_ids) AS product (id)`;

export async function stateOfEntitlements(db: Db): Promise<string> {
  return onlyRow(
    await db<{ state: string }[]>`
      SELECT concat(count(*), ' ', md5(string_agg(n::text, ' ' ORDER BY n::text COLLATE "C"))) AS state
      FROM (${namedProducts(db)}) n`,
  ).state;
}

export const entitlementRows = (db: Db): AsyncIterable<TextRow[]> =>
  readPages(db<TextRow[]>`${namedProducts(db)}`, PAGE);
