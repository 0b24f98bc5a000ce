import type { Alias, ErasedId } from '../event-store/read.ts';
import { statusCode } from '../modules/purchases/model/stored.ts';
import { CHAIN_STATUSES, type ChainStatus } from '../shared/purchase.ts';
import type { Db, Sql } from '../storage/postgres.ts';
import { isTrialText, refundedMsText } from '../storage/purchase-period.ts';
import { readPages } from '../storage/read-pages.ts';

export type OrganizationFile = {
  path: string;
  format: number;
  isOwn: boolean;
  /** JSON text; null in files of earlier releases. */
  stats: string | null;
  appIds: string[];
  peopleSeq: number;
};

export const selectOrganizationFiles = async (db: Db, orgId: string) => db<OrganizationFile[]>`
    SELECT f.path, f.format, f.org_id IS NOT NULL AS "isOwn", array_agg(a.app_id) AS "appIds",
      f.people_seq AS "peopleSeq", f.stats
    FROM event_file_apps a JOIN event_files f USING (file_id)
    WHERE a.org_id = ${orgId} AND f.state = 'live'
    GROUP BY f.file_id ORDER BY f.min_occurred_at, f.file_id`;

export const selectLateAliases = async (db: Db, orgId: string, seq: number) => db<Alias[]>`
    SELECT app_id AS "appId", anonymous_id AS "anonymousId", user_id AS "userId" FROM event_people
    WHERE org_id = ${orgId} AND catalogued_seq > ${seq}`;

export const selectErased = async (db: Db, orgId: string) => db<ErasedId[]>`
    SELECT app_id AS "appId", subject AS id, erased_as AS "erasedAs" FROM event_erasures
    WHERE org_id = ${orgId} AND subject IS NOT NULL`;

const instant = (ms: string) =>
  `to_char(to_timestamp((${ms})::numeric / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const moment = (at: string) => `to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const holder = (chain: string) => `(
  SELECT known_as FROM purchase_buyer(${chain}.org_id, ${chain}.app_id, ${chain}.environment,
    ${chain}.original_transaction_id))`;

const STATUSES: Readonly<Record<ChainStatus, string>> = {
  active: 'active',
  expired: 'expired',
  retry: 'billing_retry',
  grace: 'billing_grace',
  revoked: 'revoked',
};
const statusSql = (column: string) =>
  `CASE ${column} ${CHAIN_STATUSES.map(
    (status) => `WHEN ${statusCode(status)} THEN '${STATUSES[status]}'`,
  ).join(' ')} END`;

const periodStart = (row: string) =>
  `coalesce(${row}.snapshot->>'startsAt', ${row}.snapshot->>'purchasedAt')`;

/** Instants and amounts as text. */
export const RECORDS = {
  apps: `SELECT app_id, slug, display_name AS name, status, bundle_id, store_app_id,
      ${moment('created_at')} AS created_at
    FROM apps WHERE org_id = $1 AND deleted_at IS NULL ORDER BY created_at, app_id`,
  sales: `SELECT f.day::text AS day, f.report_type, a.app_id,
      coalesce(s.store_app_id, p.store_app_id) AS store_app_id, f.store_id, f.sku,
      f.title, f.product_type, f.country, f.device, f.units::text AS units,
      f.bundle_credit AS is_bundle_credit, f.trials,
      f.proceeds::text AS proceeds, f.proceeds_currency,
      f.customer_spend::text AS customer_spend, f.customer_currency, c.store
    FROM (
      SELECT org_id, vendor_number, 'app_store' AS store FROM store_connections
      UNION ALL SELECT org_id, 'gs://' || bucket, 'google_play' FROM google_play_accounts
    ) c
    JOIN store_facts f ON f.org_id = c.org_id AND f.vendor_number = c.vendor_number
    LEFT JOIN LATERAL (
      SELECT s.store_app_id, s.app_id FROM store_apps s
      WHERE c.store = 'app_store' AND s.org_id = f.org_id AND (s.store_app_id IN (f.parent_store_id, f.store_id)
        OR (s.sku <> '' AND s.sku IN (f.parent_sku, f.sku)))
      ORDER BY coalesce(s.store_app_id = f.parent_store_id, false) DESC,
        s.store_app_id = f.store_id DESC, coalesce(s.sku = f.parent_sku, false) DESC,
        s.store_app_id DESC LIMIT 1
    ) s ON true
    LEFT JOIN LATERAL (
      SELECT coalesce(f.parent_store_id, f.store_id) AS store_app_id WHERE c.store = 'google_play'
    ) p ON true
    LEFT JOIN apps a ON a.org_id = f.org_id AND a.deleted_at IS NULL
      AND a.app_id = coalesce(s.app_id, app_of_package(f.org_id, p.store_app_id))
    WHERE c.org_id = $1 ORDER BY f.day, f.report_type, f.line`,
  purchases: `SELECT t.app_id, t.environment, t.transaction_id, t.original_transaction_id,
      ${holder('t')} AS person_id, t.snapshot->>'productId' AS product_id,
      t.snapshot->>'type' AS type, ${instant("t.snapshot->>'purchasedAt'")} AS purchased_at,
      ${instant("t.snapshot->>'expiresAt'")} AS expires_at,
      ${instant("t.snapshot->>'revokedAt'")} AS revoked_at,
      ${isTrialText('t')} AS is_trial, t.snapshot->>'ownership' AS ownership,
      (t.price_milliunits::numeric / 1000)::text AS price, t.currency, t.storefront,
      t.transaction_reason AS reason, t.offer_type,
      ${instant(refundedMsText('t'))} AS refunded_at
    FROM purchase_transactions t
    JOIN apps a ON a.org_id = t.org_id AND a.app_id = t.app_id AND a.deleted_at IS NULL
    WHERE t.org_id = $1 ORDER BY t.app_id, t.environment, t.transaction_id`,
  subscriptions: `SELECT c.app_id, c.environment, c.original_transaction_id,
      ${holder('c')} AS person_id, n.snapshot->>'productId' AS product_id,
      ${instant('n.started_ms')} AS started_at,
      ${instant(periodStart('n'))} AS period_started_at,
      ${instant("n.snapshot->>'expiresAt'")} AS expires_at,
      ${instant("n.snapshot->>'committedUntil'")} AS committed_until,
      ${isTrialText('n')} AS is_trial,
      (c.renewal->>'willRenew')::boolean AS will_renew,
      ${statusSql('c.status')} AS status,
      ${instant("c.renewal->>'graceExpiresAt'")} AS grace_expires_at,
      ${moment('c.trial_started_at')} AS trial_started_at,
      ${moment('c.trial_converted_at')} AS trial_converted_at,
      n.snapshot->>'ownership' AS ownership
    FROM purchase_chains c
    JOIN apps a ON a.org_id = c.org_id AND a.app_id = c.app_id AND a.deleted_at IS NULL
    JOIN LATERAL (
      SELECT t.snapshot, min((${periodStart('t')})::numeric) OVER () AS started_ms
      FROM purchase_transactions t
      WHERE t.org_id = c.org_id AND t.app_id = c.app_id AND t.environment = c.environment
        AND t.original_transaction_id = c.original_transaction_id
        AND t.snapshot->>'type' = 'subscription'
      ORDER BY (t.snapshot->>'isAddOn')::boolean IS TRUE, (t.snapshot->>'purchasedAt')::numeric DESC, t.transaction_id DESC LIMIT 1
    ) n ON true
    WHERE c.org_id = $1 ORDER BY c.app_id, c.environment, c.original_transaction_id`,
  entitlements: `SELECT e.app_id, e.name, product.id AS product_id
    FROM purchase_entitlements e
    JOIN apps a ON a.org_id = e.org_id AND a.app_id = e.app_id AND a.deleted_at IS NULL
    CROSS JOIN LATERAL unnest(e.product_ids) WITH ORDINALITY AS product (id, place)
    WHERE e.org_id = $1 ORDER BY e.app_id, e.place, product.place`,
} as const;

export type RecordName = keyof typeof RECORDS;

const PAGE = 5_000;

export function readRecords(sql: Sql, name: RecordName, orgId: string): AsyncIterable<object[]> {
  return readPages(sql.unsafe<object[]>(RECORDS[name], [orgId]), PAGE);
}
