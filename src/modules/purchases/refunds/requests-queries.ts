import { must } from '../../../shared/assert.ts';
import type { Transaction } from '../../../shared/purchase.ts';
import type { Store } from '../../../shared/stores.ts';
import { parser } from '../../../shared/schema.ts';
import { type Db, done } from '../../../storage/postgres.ts';
import { isOfLiveApp } from '../../../storage/rows-of-app.ts';
import { markEnsured } from '../../../storage/wanted-runs.ts';
import type { FixedAnswer, RefundKey } from '../model/refund-store.ts';
import * as refunds from '../model/refunds.ts';

const isRequest = (db: Db, key: RefundKey) => db`
  r.org_id = ${key.orgId} AND r.app_id = ${key.appId} AND r.environment = ${key.environment}
  AND r.request_id = ${key.requestId}`;

const answers = parser(refunds.RefundAnswer, 'purchase_refund_requests answer');
const evidences = parser(refunds.RefundEvidence, 'purchase_refund_requests evidence');

export type WaitingRequest = {
  store: Store;
  transactionId: string;
  refundToken: string | null;
  isIdentified: boolean;
  attempts: number;
  productId: string;
  type: Transaction['type'];
  isShared: boolean;
  isAssigned: boolean;
  quantity: number;
  purchasedAt: Date;
  askedAt: Date;
  answerBy: Date;
  userIds: string[];
  anonymousIds: string[];
  people: Pick<refunds.RefundPerson, 'answers' | 'customersConsent'>[];
};

export async function selectWaitingRequest(db: Db, key: RefundKey): Promise<WaitingRequest | null> {
  const holders = (kinds: readonly string[]) => db`ARRAY(
    SELECT l.person_id FROM purchase_links l
    WHERE l.org_id = r.org_id AND l.app_id = r.app_id AND l.environment = r.environment
      AND l.original_transaction_id = r.original_transaction_id AND l.kind = ANY(${[...kinds]}))`;
  const [row] = await db<WaitingRequest[]>`
    WITH asked AS (
      SELECT r.store, r.transaction_id, r.refund_token, r.original_transaction_id, r.attempts,
        r.product_id, r.product_type, r.is_shared, r.is_assigned, r.quantity, r.purchased_at,
        r.asked_at, r.answer_by, ${holders(['user', 'token'])} AS users,
        ${holders(['anonymous'])} AS devices
      FROM purchase_refund_requests r WHERE ${isRequest(db, key)} AND r.state = 'waiting' AND ${isOfLiveApp(db, 'r')})
    SELECT store, transaction_id AS "transactionId", refund_token AS "refundToken",
      original_transaction_id <> '' AS "isIdentified", attempts, product_id AS "productId", product_type AS type,
      is_shared AS "isShared", is_assigned AS "isAssigned", quantity,
      purchased_at AS "purchasedAt", asked_at AS "askedAt", answer_by AS "answerBy", users AS "userIds",
      devices AS "anonymousIds", coalesce((
        SELECT jsonb_agg(jsonb_build_object('answers', p.answers,
          'customersConsent', p.customers_consent))
        FROM purchase_refund_people p
        WHERE p.org_id = ${key.orgId} AND p.app_id = ${key.appId}
          AND (p.user_id = ANY(asked.users) OR lower(p.user_id) = ANY(asked.users))), '[]') AS people
    FROM asked`;
  return row ?? null;
}

/** The first answer stays: each sending is the same. */
export async function fixAnswer(
  db: Db,
  key: RefundKey,
  { answer, evidence }: FixedAnswer,
): Promise<FixedAnswer | null> {
  const [row] = await db<{ answer: unknown; evidence: unknown }[]>`
    UPDATE purchase_refund_requests r SET attempts = attempts + 1,
      answer = coalesce(answer, ${JSON.stringify(answer)}::text::jsonb),
      evidence = CASE WHEN answer IS NULL
        THEN ${evidence && JSON.stringify(evidence)}::text::jsonb ELSE r.evidence END
    WHERE ${isRequest(db, key)} AND r.state = 'waiting' RETURNING answer, evidence`;
  if (!row) return null;
  return {
    answer: answers.parse(must(row.answer, 'it was set')),
    evidence: row.evidence === null ? null : evidences.parse(row.evidence),
  };
}

export const markAnswered = (db: Db, key: RefundKey, at: Date) =>
  done(db`
    UPDATE purchase_refund_requests r SET state = 'answered', why = NULL, answered_at = ${at},
      last_error = NULL, store_code = NULL, evidence = NULL
    WHERE ${isRequest(db, key)} AND r.state <> 'answered'`);

type NotAnswered = { why: refunds.ReasonNot; code?: number | null; error?: string | null };

export const markNotAnswered = (
  db: Db,
  key: RefundKey,
  { why, code = null, error = null }: NotAnswered,
) =>
  done(db`
    UPDATE purchase_refund_requests r SET state = 'not_answered', why = ${why}, last_error = ${error},
      store_code = ${code}, evidence = NULL
    WHERE ${isRequest(db, key)} AND r.state = 'waiting'`);

export const noteFailure = (
  db: Db,
  key: RefundKey,
  { error, code = null }: { error: string; code?: number | null },
) =>
  done(db`
    UPDATE purchase_refund_requests r SET last_error = ${error}, store_code = ${code}
    WHERE ${isRequest(db, key)} AND r.state = 'waiting'`);

const keyColumns = (db: Db) => db`
  org_id AS "orgId", app_id AS "appId", environment, request_id AS "requestId"`;

export const selectRequestsWithoutRun = (db: Db, limit: number) => db<RefundKey[]>`
  SELECT ${keyColumns(db)} FROM purchase_refund_requests
  WHERE state = 'waiting' AND run_ensured_at IS NULL ORDER BY received_at LIMIT ${limit}`;

export const markRequestRuns = markEnsured(
  'purchase_refund_requests',
  'appId',
  'environment',
  'requestId',
);

export type PendingRequest = RefundKey & { receivedAt: string };

export const selectPendingRequests = (
  db: Db,
  { before, after, limit }: { before: Date; after: PendingRequest | null; limit: number },
) => db<PendingRequest[]>`
  SELECT ${keyColumns(db)}, received_at::text AS "receivedAt" FROM purchase_refund_requests
  WHERE state = 'waiting' AND received_at < ${before}
    AND (received_at, environment, request_id, app_id) >
      (${after?.receivedAt ?? '-infinity'}::text::timestamptz, ${after?.environment ?? ''},
        ${after?.requestId ?? ''}, ${after?.appId ?? ''})
  ORDER BY received_at, environment, request_id, app_id LIMIT ${limit}`;
