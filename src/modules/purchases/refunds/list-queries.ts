import type { AppScope } from '../../../shared/app.ts';
import type { TimePosition } from '../../../shared/page.ts';
import type { Store } from '../../../shared/stores.ts';
import { toIso, toIsoOrNull } from '../../../shared/time.ts';
import type { Db } from '../../../storage/postgres.ts';
import type { RefundRequest } from '../model/refunds.ts';

type Times = 'askedAt' | 'answerBy' | 'answeredAt' | 'outcomeAt';
type Row = Omit<RefundRequest, Times | 'message' | 'store'> & {
  store: Store;
  askedAt: Date;
  answerBy: Date;
  answeredAt: Date | null;
  outcomeAt: Date | null;
  lastError: string | null;
};
export type ListedRequest = Omit<RefundRequest, 'message' | 'store'> &
  Pick<Row, 'lastError' | 'store'>;

export type RequestPage = {
  state: RefundRequest['state'] | null;
  before: TimePosition | null;
  limit: number;
};

export async function selectRefundRequests(
  db: Db,
  { orgId, appId }: AppScope,
  { state, before, limit }: RequestPage,
): Promise<ListedRequest[]> {
  const beforeAt = before && new Date(before.atMs);
  const rows = await db<Row[]>`
    SELECT r.request_id AS id, r.store, r.environment, r.transaction_id AS "transactionId",
      r.product_id AS "productId", (
        SELECT min(one) FROM purchase_chains c, unnest(c.users) AS one
        WHERE c.app_id = r.app_id AND c.environment = r.environment
          AND c.original_transaction_id = r.original_transaction_id) AS "userId",
      r.reason, r.asked_at AS "askedAt", r.answer_by AS "answerBy", r.state, r.why,
      r.last_error AS "lastError", r.store_code AS "storeCode", r.attempts, r.answer,
      r.answered_at AS "answeredAt", r.outcome, r.outcome_at AS "outcomeAt"
    FROM purchase_refund_requests r
    WHERE r.org_id = ${orgId} AND r.app_id = ${appId}
      AND (${state}::text IS NULL OR r.state = ${state})
      AND (${beforeAt}::timestamptz IS NULL
        OR (r.asked_at, r.request_id) < (${beforeAt}, ${before?.id ?? ''}))
    ORDER BY r.asked_at DESC, r.request_id DESC LIMIT ${limit}`;
  return rows.map((row) => ({
    ...row,
    askedAt: toIso(row.askedAt),
    answerBy: toIso(row.answerBy),
    answeredAt: toIsoOrNull(row.answeredAt),
    outcomeAt: toIsoOrNull(row.outcomeAt),
  }));
}
