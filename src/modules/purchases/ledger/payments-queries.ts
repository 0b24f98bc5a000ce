import type { AppScope } from '../../../shared/app.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import type { Db } from '../../../storage/postgres.ts';
import { isTrial, refundedMs } from '../../../storage/purchase-period.ts';

export type PaymentRow = {
  atMs: number;
  /** 10990 is 10.99 of the currency; null when not signed. */
  priceMilliunits: number | null;
  currency: string | null;
  /** Per 100,000. */
  refundedMilliunits: number;
  isTrial: boolean;
  person: string | null;
};

const ALL_REFUNDED = 100_000;

/** Production purchases without family sharing, newest first. */
export const selectPayments = (
  db: Db,
  { orgId, appId }: AppScope,
  { from, to, limit }: { from: Date; to: Date; limit: number },
) => db<PaymentRow[]>`
    SELECT (t.snapshot ->> 'purchasedAt')::bigint AS "atMs",
      t.price_milliunits AS "priceMilliunits", t.currency,
      CASE WHEN ${refundedMs(db, 't')} IS NULL THEN 0
        ELSE coalesce(t.revocation_percentage_milliunits, ${ALL_REFUNDED}) END AS "refundedMilliunits",
      ${isTrial(db, 't')} AS "isTrial", buyer.known_as AS person
    FROM purchase_transactions t
    LEFT JOIN LATERAL purchase_buyer(t.org_id, t.app_id, t.environment,
      t.original_transaction_id) buyer ON true
    WHERE t.org_id = ${orgId} AND t.app_id = ${appId} AND t.environment = ${REAL_PURCHASES}
      AND t.snapshot ->> 'ownership' = 'purchased'
      AND (t.snapshot ->> 'purchasedAt')::bigint >= ${from.getTime()}
      AND (t.snapshot ->> 'purchasedAt')::bigint < ${to.getTime()}
    ORDER BY 1 DESC LIMIT ${limit}`;
