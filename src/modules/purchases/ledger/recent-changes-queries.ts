import type { AppScope } from '../../../shared/app.ts';
import { onlyRow } from '../../../shared/assert.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import type { Db, Fragment } from '../../../storage/postgres.ts';
import { isFirstOfChain, isTrial, refundedMs } from '../../../storage/purchase-period.ts';
import type { PurchaseNews } from '../../messages/index.ts';

type Between = { from: Date; to: Date; limit: number };

/** Production only, without family members. `more`: count beyond the limit. */
export async function selectRecentChanges(
  db: Db,
  { orgId, appId }: AppScope,
  { from, to, limit }: Between,
): Promise<{ news: PurchaseNews[]; more: number }> {
  const [fromMs, toMs] = [from.getTime(), to.getTime()];
  const inTime = (ms: Fragment) => db`(${ms} >= ${fromMs} AND ${ms} < ${toMs})`;
  const own = (alias: ReturnType<Db>) => db`
    ${alias}.org_id = ${orgId} AND ${alias}.app_id = ${appId} AND ${alias}.environment = ${REAL_PURCHASES}`;
  const found = db`
    SELECT 'subscriber' AS kind, t.snapshot, t.price_milliunits, t.currency,
      (t.snapshot ->> 'purchasedAt')::bigint AS at_ms
    FROM purchase_transactions t
    WHERE ${own(db`t`)} AND t.signed_ms >= ${fromMs}
      AND ${isFirstOfChain(db, 't')} AND t.snapshot ->> 'type' = 'subscription'
      AND t.snapshot ->> 'ownership' = 'purchased'
      AND ${inTime(db`(t.snapshot ->> 'purchasedAt')::bigint`)}
    UNION ALL
    SELECT 'refund', t.snapshot,
      t.price_milliunits * coalesce(t.revocation_percentage_milliunits, 100000) / 100000, t.currency,
      ${refundedMs(db, 't')}
    FROM purchase_transactions t
    WHERE ${own(db`t`)} AND t.signed_ms >= ${fromMs} AND t.snapshot ->> 'ownership' = 'purchased'
      AND ${inTime(refundedMs(db, 't'))}
    UNION ALL
    SELECT 'billing_problem', last.snapshot, last.price_milliunits, last.currency,
      c.renewal_signed_ms
    FROM purchase_chains c
    JOIN LATERAL (
      SELECT t.snapshot, t.price_milliunits, t.currency FROM purchase_transactions t
      WHERE ${own(db`t`)} AND t.original_transaction_id = c.original_transaction_id
        AND t.snapshot ->> 'ownership' = 'purchased'
      ORDER BY (t.snapshot ->> 'isAddOn')::boolean IS TRUE,
        (t.snapshot ->> 'purchasedAt')::bigint DESC LIMIT 1
    ) last ON true
    WHERE ${own(db`c`)} AND (c.renewal ->> 'inBillingRetry')::boolean
      AND ${inTime(db`c.renewal_signed_ms`)}`;
  const news = await db<PurchaseNews[]>`
    SELECT kind, snapshot ->> 'productId' AS "productId", price_milliunits AS "priceMilliunits",
      currency, ${isTrial(db, 'found')} AS "isTrial"
    FROM (${found}) found ORDER BY at_ms, kind LIMIT ${limit}`;
  const counted = await db<{ count: number }[]>`SELECT count(*) AS count FROM (${found}) found`;
  return { news: [...news], more: onlyRow(counted).count - news.length };
}
