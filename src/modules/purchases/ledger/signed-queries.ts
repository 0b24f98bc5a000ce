import type {
  SignedRenewal,
  SignedTransaction,
  Transaction,
  TransactionDetails,
} from '../../../shared/purchase.ts';
import { type Tx, done } from '../../../storage/postgres.ts';
import type { ChainKey } from '../model/chain.ts';
import { STORED, storedTransaction } from '../model/stored.ts';
import { isChain } from './facts-queries.ts';

const rankOf = (tx: Tx, row: 'excluded' | 'known') => tx`
  ${tx(row)}.will_renew, ${tx(row)}.in_billing_retry, coalesce(${tx(row)}.grace_expires_ms, 0),
  coalesce(${tx(row)}.renews_ms, 0), ${tx(row)}.content_hash`;

/** Without details, those that are known stay. */
export type PartialTransaction = { snapshot: Transaction; details: TransactionDetails | null };

export type Signed = {
  transaction: PartialTransaction | null;
  renewal: SignedRenewal | null;
  receivedAt: Date;
};

/** Once only: a late delivery must not restore an expired text. */
const saveTransactionText = (
  tx: Tx,
  key: ChainKey,
  { snapshot, details }: SignedTransaction,
  receivedAt: Date,
) =>
  done(tx`
    UPDATE purchase_transactions t SET
      signed_text = CASE WHEN c.keeps_signed_text THEN ${details.text}::text END,
      app_transaction_id = CASE WHEN c.keeps_signed_text
        THEN ${details.appTransactionId ?? ''}::text ELSE '' END,
      text_received_at = ${receivedAt}, fields_signed_ms = ${snapshot.signedAt},
      price_milliunits = ${details.priceMilliunits}, currency = ${details.currency},
      storefront = ${details.storefront}, quantity = ${details.quantity},
      subscription_group = ${details.subscriptionGroup},
      original_purchase_ms = ${details.originalPurchasedAt},
      offer_type = ${STORED.offer.toCode(details.offer)}, offer_identifier = ${details.offerId},
      offer_discount_type = ${STORED.discount.toCode(details.discount)}, offer_period = ${details.offerPeriod},
      transaction_reason = ${details.transactionReason},
      revocation_reason = ${STORED.refundReason.toCode(details.refundReason)},
      revocation_type = ${details.revocationType},
      revocation_percentage_milliunits = ${details.revocationPercentageMilliunits},
      billing_plan = ${STORED.billingPlan.toCode(details.billingPlan)},
      commitment_expires_ms = ${details.commitmentExpiresAt}
    FROM purchase_chains c
    WHERE t.org_id = ${key.orgId} AND t.app_id = ${key.appId}
      AND t.environment = ${key.environment} AND t.transaction_id = ${snapshot.transactionId}
      AND c.app_id = t.app_id AND c.environment = t.environment
      AND c.original_transaction_id = t.original_transaction_id
      AND (t.fields_signed_ms IS NULL OR t.fields_signed_ms < ${snapshot.signedAt})
      AND NOT (t.signed_ms = ${snapshot.signedAt}
        AND t.snapshot <> ${storedTransaction(snapshot)}::text::jsonb)`);

/** Also repeated: a different one, signed in between, may come. */
const insertRenewal = (
  tx: Tx,
  key: ChainKey,
  { snapshot, details }: SignedRenewal,
  receivedAt: Date,
) =>
  done(tx`
    INSERT INTO purchase_renewals AS known (app_id, org_id, environment, original_transaction_id,
      signed_ms, content_hash, signed_text, text_received_at, product_id, auto_renew_product_id,
      will_renew, in_billing_retry, expiration_intent, grace_expires_ms, renews_ms,
      subscription_start_ms, renewal_price_milliunits, currency, price_increase_status, offer_type,
      offer_identifier, offer_discount_type, offer_period)
    SELECT c.app_id, c.org_id, c.environment, c.original_transaction_id, ${snapshot.signedAt},
      ${details.contentHash}, CASE WHEN c.keeps_signed_text THEN ${details.text}::text END,
      ${receivedAt}, ${details.productId}, ${details.autoRenewProductId}, ${snapshot.willRenew},
      ${snapshot.inBillingRetry}, ${STORED.expiryReason.toCode(details.expiryReason)}, ${snapshot.graceExpiresAt},
      ${snapshot.renewsAt}, ${details.subscriptionStartedAt}, ${details.renewalPriceMilliunits},
      ${details.currency}, ${STORED.priceIncrease.toCode(details.priceIncrease)}, ${STORED.offer.toCode(details.offer)},
      ${details.offerId}, ${STORED.discount.toCode(details.discount)}, ${details.offerPeriod}
    FROM purchase_chains c
    WHERE c.org_id = ${key.orgId} AND c.app_id = ${key.appId}
      AND c.environment = ${key.environment}
      AND c.original_transaction_id = ${key.chainId}
    ON CONFLICT (app_id, environment, original_transaction_id, signed_ms) DO UPDATE SET
      content_hash = excluded.content_hash, signed_text = excluded.signed_text,
      text_received_at = excluded.text_received_at, product_id = excluded.product_id,
      auto_renew_product_id = excluded.auto_renew_product_id,
      will_renew = excluded.will_renew, in_billing_retry = excluded.in_billing_retry,
      expiration_intent = excluded.expiration_intent,
      grace_expires_ms = excluded.grace_expires_ms, renews_ms = excluded.renews_ms,
      subscription_start_ms = excluded.subscription_start_ms,
      renewal_price_milliunits = excluded.renewal_price_milliunits,
      currency = excluded.currency, price_increase_status = excluded.price_increase_status,
      offer_type = excluded.offer_type, offer_identifier = excluded.offer_identifier,
      offer_discount_type = excluded.offer_discount_type,
      offer_period = excluded.offer_period
      WHERE (${rankOf(tx, 'excluded')}) > (${rankOf(tx, 'known')})`);

/** Keeps the first and last of equal answers to frequent refreshes. */
export const dropRepeatedAnswer = (tx: Tx, key: ChainKey, { snapshot, details }: SignedRenewal) =>
  done(tx`
    DELETE FROM purchase_renewals WHERE ${isChain(tx, key)} AND signed_ms = (
      SELECT max(signed_ms) FROM (
        SELECT signed_ms, content_hash FROM purchase_renewals
        WHERE ${isChain(tx, key)} AND signed_ms < ${snapshot.signedAt}
        ORDER BY signed_ms DESC LIMIT 2
      ) before
      HAVING count(*) FILTER (WHERE content_hash = ${details.contentHash}) = 2)`);

/** Requires the chain's row. Idempotent. */
export async function insertSigned(tx: Tx, key: ChainKey, signed: Signed): Promise<void> {
  const { transaction, renewal, receivedAt } = signed;
  await Promise.all([
    transaction?.details
      ? saveTransactionText(tx, key, { ...transaction, details: transaction.details }, receivedAt)
      : null,
    renewal ? insertRenewal(tx, key, renewal, receivedAt) : null,
  ]);
}
