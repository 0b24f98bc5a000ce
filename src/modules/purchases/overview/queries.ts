import type { AppScope } from '../../../shared/app.ts';
import type { StoreEnvironment } from '../../../shared/environment.ts';
import { parser } from '../../../shared/schema.ts';
import type { Sql } from '../../../storage/postgres.ts';
import { ChainHistory } from './chain.ts';

/** Chains in memory at a time. */
const BATCH = 500;
/** More than a weekly subscription makes in thirty years. */
const MAX_ROWS = 2_000;

const historyParser = parser(ChainHistory, 'history of a chain');

/** The transactions and renewals of every chain of an app, a batch after the other, of one snapshot. */
export async function* readHistories(
  sql: Sql,
  scope: AppScope & { environment: StoreEnvironment },
): AsyncGenerator<ChainHistory[]> {
  const ofChain = sql`
    x.org_id = c.org_id AND x.app_id = c.app_id AND x.environment = c.environment
    AND x.original_transaction_id = c.original_transaction_id`;
  const rows = sql`
    SELECT (SELECT coalesce(json_agg(t), '[]') FROM (
      SELECT x.transaction_id AS "transactionId", x.snapshot->'productId' AS "productId",
        x.storefront AS country, x.snapshot->'purchasedAt' AS "purchasedAt",
        x.snapshot->'expiresAt' AS "expiresAt", x.snapshot->'revokedAt' AS "revokedAt",
        x.snapshot->'upgraded' AS upgraded,
        x.snapshot->>'type' = 'subscription' OR (x.snapshot->>'type' = 'unknown'
          AND x.snapshot->>'expiresAt' IS NOT NULL) AS "autoRenewable",
        x.snapshot->>'ownership' = 'family_shared' AS "familyShared",
        CASE WHEN (x.snapshot->>'freeTrial')::boolean THEN 'FREE_TRIAL'
          ELSE x.offer_discount_type END AS "discountType",
        x.offer_period AS "offerPeriod", x.price_milliunits AS "priceMilliunits", x.currency,
        x.revocation_percentage_milliunits AS "refundedMilliunits"
      FROM purchase_transactions x WHERE ${ofChain} LIMIT ${MAX_ROWS}) t) AS transactions,
    (SELECT coalesce(json_agg(r), '[]') FROM (
      SELECT x.signed_ms AS "signedAt", x.will_renew AS "willRenew",
        x.in_billing_retry AS retrying, x.expiration_intent AS intent,
        x.grace_expires_ms AS "graceExpiresAt"
      FROM purchase_renewals x WHERE ${ofChain}
      ORDER BY x.signed_ms DESC LIMIT ${MAX_ROWS}) r) AS renewals
    FROM purchase_chains c
    WHERE c.org_id = ${scope.orgId} AND c.app_id = ${scope.appId}
      AND c.environment = ${scope.environment}`;
  for await (const batch of rows.cursor(BATCH)) {
    yield batch.map((row) => historyParser.parse(row));
  }
}

/** When the first transaction was bought, or null without any. */
export async function selectFirstPurchase(
  sql: Sql,
  scope: AppScope & { environment: StoreEnvironment },
): Promise<number | null> {
  const [row] = await sql<{ first: number | null }[]>`
    SELECT min((snapshot->>'purchasedAt')::bigint) AS first FROM purchase_transactions
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND environment = ${scope.environment}`;
  return row?.first ?? null;
}

/** Chains whose history was not read: what is known of them may begin in their middle. */
export async function countUnreadHistories(
  sql: Sql,
  scope: AppScope & { environment: StoreEnvironment },
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*) AS count FROM purchase_chains
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND environment = ${scope.environment} AND history_read_at IS NULL`;
  return row?.count ?? 0;
}
