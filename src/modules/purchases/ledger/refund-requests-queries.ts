import type { AppScope } from '../../../shared/app.ts';
import type { StoreEnvironment } from '../../../shared/environment.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import type { SignedTransaction } from '../../../shared/purchase.ts';
import type { Store } from '../../../shared/stores.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { type Db, type Tx, firstRow, done, singleRow } from '../../../storage/postgres.ts';
import type { ChainKey } from '../model/chain.ts';
import type { RefundKey, RefundPurchase } from '../model/refund-store.ts';
import type { RefundCounts, RefundOutcome } from '../model/refunds.ts';

const ANSWERABLE_MS = 12 * HOUR_MS;
const CHARGEBACK_MS = 24 * HOUR_MS;

export type NewRefundRequest = {
  requestId: string;
  transaction: SignedTransaction;
  reason: string | null;
  askedMs: number;
  receivedAt: Date;
};

/** A repeated one of the same transaction counts once; under the lock of the chain. */
export async function insertRefundRequest(
  tx: Tx,
  { orgId, appId, environment, chainId }: ChainKey,
  { requestId, transaction, reason, askedMs, receivedAt }: NewRefundRequest,
): Promise<void> {
  const { snapshot, details } = transaction;
  const askedAt = new Date(askedMs);
  const decided = tx`(SELECT (t.snapshot ->> 'revokedAt')::bigint FROM purchase_transactions t
    WHERE t.org_id = ${orgId} AND t.app_id = ${appId} AND t.environment = ${environment}
      AND t.transaction_id = ${snapshot.transactionId})`;
  await tx`
    INSERT INTO purchase_refund_requests (org_id, app_id, environment, request_id, transaction_id,
      original_transaction_id, product_id, product_type, is_shared, is_assigned, quantity,
      purchased_at, reason, asked_at, answer_by, received_at, state, why, outcome, outcome_at)
    SELECT ${orgId}, ${appId}, ${environment}, ${requestId}, ${snapshot.transactionId}, ${chainId},
      ${snapshot.productId}, ${snapshot.type}, ${snapshot.ownership === 'family_shared'},
      ${details.isAssigned}, ${Math.max(1, details.quantity ?? 1)},
      ${new Date(snapshot.purchasedAt)}, ${reason}, ${askedAt},
      ${new Date(askedMs + ANSWERABLE_MS)}, ${receivedAt},
      CASE WHEN d.ms IS NULL THEN 'waiting' ELSE 'not_answered' END,
      CASE WHEN d.ms IS NOT NULL THEN 'decided' END,
      CASE WHEN d.ms IS NOT NULL THEN 'refunded' END, to_timestamp(d.ms / 1000.0)
    FROM (SELECT ${decided} AS ms) d
    WHERE NOT EXISTS (
      SELECT FROM purchase_refund_requests r
      WHERE r.app_id = ${appId} AND r.environment = ${environment}
        AND r.transaction_id = ${snapshot.transactionId} AND r.outcome IS NULL
        AND r.asked_at > ${new Date(askedMs - ANSWERABLE_MS)}
        AND r.asked_at < ${new Date(askedMs + ANSWERABLE_MS)})
    ON CONFLICT DO NOTHING`;
}

export type NewChargeback = {
  orderId: string;
  refundToken: string;
  reason: string | null;
  askedMs: number;
  receivedAt: Date;
};

export async function insertChargeback(
  db: Db,
  { orgId, appId, environment, requestId }: RefundKey,
  { orderId, refundToken, reason, askedMs, receivedAt }: NewChargeback,
): Promise<void> {
  const askedAt = new Date(askedMs);
  await db`
    INSERT INTO purchase_refund_requests (org_id, app_id, environment, request_id, store,
      transaction_id, refund_token, original_transaction_id, product_id, product_type, is_shared,
      is_assigned, quantity, purchased_at, reason, asked_at, answer_by, received_at, state)
    VALUES (${orgId}, ${appId}, ${environment}, ${requestId}, 'google_play', ${orderId},
      ${refundToken}, '', '', 'unknown', false, false, 1, ${askedAt}, ${reason}, ${askedAt},
      ${new Date(askedMs + CHARGEBACK_MS)}, ${receivedAt}, 'waiting')
    ON CONFLICT DO NOTHING`;
}

export const selectRefundPurchase = (
  db: Db,
  { orgId, appId, environment }: Omit<RefundKey, 'requestId'>,
  transactionId: string,
) =>
  firstRow(db<RefundPurchase[]>`
    SELECT original_transaction_id AS "chainId", snapshot->>'productId' AS "productId",
      snapshot->>'type' AS type, greatest(1, quantity) AS quantity,
      to_timestamp((snapshot->>'purchasedAt')::bigint / 1000.0) AS "purchasedAt",
      (snapshot->>'revokedAt')::bigint AS "revokedMs"
    FROM purchase_transactions
    WHERE org_id = ${orgId} AND app_id = ${appId} AND environment = ${environment}
      AND transaction_id = ${transactionId}`);

export const identifyRequest = (
  db: Db,
  { orgId, appId, environment, requestId }: RefundKey,
  { chainId, productId, type, quantity, purchasedAt }: RefundPurchase,
) =>
  done(db`
    UPDATE purchase_refund_requests SET original_transaction_id = ${chainId},
      product_id = ${productId}, product_type = ${type}, quantity = ${quantity},
      purchased_at = ${purchasedAt}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND environment = ${environment}
      AND request_id = ${requestId} AND state = 'waiting'`);

/** The latest word of the store counts. */
export async function closeRefundRequests(
  tx: Db,
  { orgId, appId, environment }: Omit<RefundKey, 'requestId'>,
  decided: { transactionId: string; outcome: RefundOutcome; atMs: number },
): Promise<void> {
  const at = new Date(decided.atMs);
  await tx`
    UPDATE purchase_refund_requests SET outcome = ${decided.outcome}, outcome_at = ${at},
      state = CASE WHEN state = 'waiting' THEN 'not_answered' ELSE state END,
      why = CASE WHEN state = 'waiting' THEN 'decided' ELSE why END, evidence = NULL
    WHERE org_id = ${orgId} AND app_id = ${appId} AND environment = ${environment}
      AND transaction_id = ${decided.transactionId} AND asked_at <= ${at}
      AND (outcome_at IS NULL OR outcome_at < ${at})`;
}

/** By the time of asking, in `[from, to)`. */
export const countRefundRequests = (
  db: Db,
  { orgId, appId }: AppScope,
  {
    environment = REAL_PURCHASES,
    store = null,
    from,
    to,
  }: {
    environment?: StoreEnvironment;
    store?: Store | null;
    from: Date | null;
    to: Date | null;
  },
) =>
  singleRow(db<RefundCounts[]>`
    SELECT count(*) AS asked, count(*) FILTER (WHERE state = 'waiting') AS waiting,
      count(*) FILTER (WHERE state = 'answered') AS answered,
      count(*) FILTER (WHERE outcome = 'refunded') AS refunded,
      count(*) FILTER (WHERE outcome = 'declined') AS declined,
      count(*) FILTER (WHERE outcome = 'reversed') AS reversed
    FROM purchase_refund_requests
    WHERE org_id = ${orgId} AND app_id = ${appId} AND environment = ${environment}
      AND (${store}::text IS NULL OR store = ${store})
      AND (${from}::timestamptz IS NULL OR asked_at >= ${from})
      AND (${to}::timestamptz IS NULL OR asked_at < ${to})`);
