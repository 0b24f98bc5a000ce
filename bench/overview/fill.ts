import type { Sql } from '../../src/storage/postgres.ts';

/**
 * `count` subscriptions of an app, begun over two years, with seven monthly or weekly periods on
 * average in four currencies; three of ten began with a trial, every tenth failed to pay once.
 */
export async function fillSubscriptions(
  sql: Sql,
  scope: { orgId: string; appId: string },
  count: number,
): Promise<void> {
  const { orgId, appId } = scope;
  await sql.begin(async (tx) => {
    // Every chain is folded by the first question anyway.
    await tx`ALTER TABLE purchase_transactions DISABLE TRIGGER purchase_transactions_count`;
    await tx`SELECT setseed(0.5)`;
    await tx`
      CREATE TEMP TABLE plans AS
      SELECT i, i::text AS chain, (ARRAY['monthly', 'weekly', 'yearly'])[1 + i % 3] AS product,
        (ARRAY[30, 7, 365])[1 + i % 3]::bigint * 86400000 AS period_ms,
        (ARRAY[9990, 2990, 49990])[1 + i % 3] AS price,
        (ARRAY['USD', 'EUR', 'GBP', 'JPY'])[1 + i % 4] AS currency,
        (ARRAY['USA', 'DEU', 'GBR', 'JPN', 'FRA'])[1 + i % 5] AS country,
        (extract(epoch FROM now()) * 1000)::bigint - (random() * 730 * 86400000)::bigint AS start,
        1 + floor(-ln(1 - random()) * 9)::integer AS periods, i % 10 < 3 AS trial
      FROM generate_series(1, ${count}::integer) AS i`;
    await tx`
      INSERT INTO purchase_chains (app_id, org_id, environment, original_transaction_id, checked_at,
        history_read_at)
      SELECT ${appId}, ${orgId}, 'Production', chain, now(), now() FROM plans`;
    await tx`
      INSERT INTO purchase_transactions (app_id, org_id, environment, transaction_id,
        original_transaction_id, signed_ms, fields_signed_ms, price_milliunits, currency, storefront,
        offer_discount_type, snapshot)
      SELECT ${appId}, ${orgId}, 'Production', chain || '-' || n, chain, bought, bought,
        CASE WHEN trial AND n = 0 THEN 0 ELSE price END, currency, country,
        CASE WHEN trial AND n = 0 THEN 'FREE_TRIAL' END,
        jsonb_build_object('transactionId', chain || '-' || n, 'originalTransactionId', chain,
          'environment', 'Production', 'productId', 'com.example.pro.' || product,
          'type', 'subscription', 'ownership', 'purchased', 'purchasedAt', bought,
          'expiresAt', bought + period_ms, 'revokedAt', NULL, 'upgraded', false,
          'freeTrial', trial AND n = 0, 'signedAt', bought)
      FROM plans, generate_series(0, periods) AS n, LATERAL (SELECT start + n * period_ms AS bought) b
      WHERE bought < extract(epoch FROM now()) * 1000`;
    await tx`
      INSERT INTO purchase_renewals (app_id, org_id, environment, original_transaction_id, signed_ms,
        content_hash, text_received_at, will_renew, in_billing_retry, grace_expires_ms)
      SELECT ${appId}, ${orgId}, 'Production', chain, start + n * period_ms, n::text, now(), true,
        n = 1, CASE WHEN n = 1 THEN start + n * period_ms + 16 * 86400000::bigint END
      FROM plans, generate_series(0, CASE WHEN i % 10 = 0 THEN 1 ELSE 0 END) AS n`;
    await tx`DROP TABLE plans`;
    await tx`ALTER TABLE purchase_transactions ENABLE TRIGGER purchase_transactions_count`;
  });
  await sql`ANALYZE`;
}
