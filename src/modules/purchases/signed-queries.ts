import type { SignedRenewal, SignedTransaction } from '../../providers/store-server/port.ts';
import type { Tx } from '../../storage/postgres.ts';
import type { ChainKey } from './facts-queries.ts';

export type Signed = {
  transaction: SignedTransaction | null;
  renewal: SignedRenewal | null;
  receivedAt: Date;
};

/**
 * Saves the signed text and fields of a transaction unless a later text is there. Never twice: a
 * later delivery must not restore an expired text.
 */
async function saveTransactionText(
  tx: Tx,
  key: ChainKey,
  { snapshot, details }: SignedTransaction,
  receivedAt: Date,
): Promise<void> {
  await tx`
    UPDATE purchase_transactions t SET
      signed_text = CASE WHEN c.keeps_signed_text THEN ${details.text}::text END,
      text_received_at = ${receivedAt}, fields_signed_ms = ${snapshot.signedAt},
      price_milliunits = ${details.priceMilliunits}, currency = ${details.currency},
      storefront = ${details.storefront}, quantity = ${details.quantity},
      subscription_group = ${details.subscriptionGroup},
      original_purchase_ms = ${details.originalPurchasedAt},
      offer_type = ${details.offerType}, offer_identifier = ${details.offerIdentifier},
      offer_discount_type = ${details.offerDiscountType}, offer_period = ${details.offerPeriod},
      transaction_reason = ${details.transactionReason},
      revocation_reason = ${details.revocationReason},
      revocation_type = ${details.revocationType},
      revocation_percentage_milliunits = ${details.revocationPercentageMilliunits}
    FROM purchase_chains c
    WHERE t.org_id = ${key.orgId} AND t.app_id = ${key.appId}
      AND t.environment = ${key.environment} AND t.transaction_id = ${snapshot.transactionId}
      AND c.app_id = t.app_id AND c.environment = t.environment
      AND c.original_transaction_id = t.original_transaction_id
      AND (t.fields_signed_ms IS NULL OR t.fields_signed_ms < ${snapshot.signedAt})`;
}

/** Saves renewal information that differs from the one signed before it. */
async function insertRenewal(
  tx: Tx,
  key: ChainKey,
  { snapshot, details }: SignedRenewal,
  receivedAt: Date,
): Promise<void> {
  await tx`
    INSERT INTO purchase_renewals (app_id, org_id, environment, original_transaction_id, signed_ms,
      content_hash, signed_text, text_received_at, product_id, auto_renew_product_id, will_renew,
      in_billing_retry, expiration_intent, grace_expires_ms, renews_ms, subscription_start_ms,
      renewal_price_milliunits, currency, price_increase_status, offer_type, offer_identifier,
      offer_discount_type, offer_period)
    SELECT c.app_id, c.org_id, c.environment, c.original_transaction_id, ${snapshot.signedAt},
      ${details.contentHash}, CASE WHEN c.keeps_signed_text THEN ${details.text}::text END,
      ${receivedAt}, ${details.productId}, ${details.autoRenewProductId}, ${snapshot.willRenew},
      ${snapshot.inBillingRetry}, ${details.expirationIntent}, ${snapshot.graceExpiresAt},
      ${snapshot.renewsAt}, ${details.subscriptionStartedAt}, ${details.renewalPriceMilliunits},
      ${details.currency}, ${details.priceIncreaseStatus}, ${details.offerType},
      ${details.offerIdentifier}, ${details.offerDiscountType}, ${details.offerPeriod}
    FROM purchase_chains c
    WHERE c.org_id = ${key.orgId} AND c.app_id = ${key.appId}
      AND c.environment = ${key.environment}
      AND c.original_transaction_id = ${key.originalTransactionId}
      AND ${details.contentHash} IS DISTINCT FROM (
        SELECT content_hash FROM purchase_renewals r
        WHERE r.app_id = c.app_id AND r.environment = c.environment
          AND r.original_transaction_id = c.original_transaction_id
          AND r.signed_ms <= ${snapshot.signedAt}
        ORDER BY r.signed_ms DESC LIMIT 1)
    ON CONFLICT DO NOTHING`;
}

/** Saves the signed texts and fields of an existing chain. Idempotent. */
export async function insertSigned(tx: Tx, key: ChainKey, signed: Signed): Promise<void> {
  const { transaction, renewal, receivedAt } = signed;
  await Promise.all([
    transaction ? saveTransactionText(tx, key, transaction, receivedAt) : null,
    renewal ? insertRenewal(tx, key, renewal, receivedAt) : null,
  ]);
}
