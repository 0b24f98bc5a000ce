import { DAY_MS } from '../../../shared/time.ts';
import type { Db, Fragment } from '../../../storage/postgres.ts';
import { isFirstOfChain, isTrial, refundedMs } from '../../../storage/purchase-period.ts';
import type { TransactionRow } from '../ledger/facts-queries.ts';
import { parseTransaction } from '../model/stored.ts';
import type { OverviewScope } from './queries.ts';
import type { RecentChange } from './recent.model.ts';

const WHOLE_MILLIUNITS = 100_000;
/** A first word on a renewal later than this after the period's end is history. */
const NEWS_MS = 4 * DAY_MS;

type Kind = RecentChange['kind'];
type Between = { fromMs: number; toMs: number };

function changesSql(db: Db, { orgId, appId, environment }: OverviewScope, between: Between) {
  const { fromMs, toMs } = between;
  const inTime = (ms: Fragment) => db`(${ms} >= ${fromMs} AND ${ms} < ${toMs})`;
  const ofApp = (row: string) => db`
    ${db(row)}.org_id = ${orgId} AND ${db(row)}.app_id = ${appId}
    AND ${db(row)}.environment = ${environment}`;
  const ofChain = (row: string) => db`
    ${ofApp(row)} AND ${db(row)}.original_transaction_id = r.original_transaction_id`;
  const isInTrouble = (row: string) => db`
    (${db(row)}.in_billing_retry OR ${db(row)}.grace_expires_ms IS NOT NULL)`;
  const transaction = db`t.original_transaction_id AS chain_id, t.snapshot, t.price_milliunits,
    t.currency, t.storefront, t.transaction_reason`;
  return db`
    SELECT CASE WHEN ${isTrial(db, 't')} THEN 'trial_started' ELSE 'bought' END AS kind,
      (t.snapshot ->> 'purchasedAt')::bigint AS at_ms, ${transaction},
      t.price_milliunits AS amount, t.currency AS amount_currency,
      NULL::boolean AS will_renew, NULL AS renews_to, NULL::bigint AS grace_ms
    FROM purchase_transactions t
    WHERE ${ofApp('t')} AND t.signed_ms >= ${fromMs} AND ${isFirstOfChain(db, 't')}
      AND t.snapshot ->> 'type' = 'subscription' AND t.snapshot ->> 'ownership' = 'purchased'
      AND ${inTime(db`(t.snapshot ->> 'purchasedAt')::bigint`)}
    UNION ALL
    SELECT 'refunded', ${refundedMs(db, 't')}, ${transaction},
      t.price_milliunits * coalesce(t.revocation_percentage_milliunits, ${WHOLE_MILLIUNITS})
        / ${WHOLE_MILLIUNITS}, t.currency, NULL, NULL, NULL
    FROM purchase_transactions t
    WHERE ${ofApp('t')} AND t.signed_ms >= ${fromMs} AND t.snapshot ->> 'ownership' = 'purchased'
      AND ${inTime(refundedMs(db, 't'))}
    UNION ALL
    SELECT 'payment_failed', r.signed_ms, ${transaction},
      CASE WHEN r.renewal_price_milliunits IS NULL THEN t.price_milliunits
        ELSE r.renewal_price_milliunits END,
      CASE WHEN r.renewal_price_milliunits IS NULL THEN t.currency ELSE r.currency END,
      r.will_renew, r.auto_renew_product_id, r.grace_expires_ms
    FROM purchase_renewals r
    JOIN LATERAL (
      SELECT * FROM purchase_transactions x
      WHERE ${ofChain('x')} AND x.snapshot ->> 'ownership' = 'purchased'
      ORDER BY (x.snapshot ->> 'isAddOn')::boolean IS TRUE,
        (x.snapshot ->> 'purchasedAt')::bigint DESC LIMIT 1
    ) t ON true
    LEFT JOIN LATERAL (
      SELECT ${isInTrouble('x')} AS in_trouble FROM purchase_renewals x
      WHERE ${ofChain('x')} AND x.signed_ms < r.signed_ms ORDER BY x.signed_ms DESC LIMIT 1
    ) before ON true
    WHERE ${ofApp('r')} AND ${inTime(db`r.signed_ms`)} AND ${isInTrouble('r')}
      AND before.in_trouble IS NOT TRUE
      AND (before.in_trouble IS NOT NULL
        OR r.signed_ms - (t.snapshot ->> 'expiresAt')::bigint < ${NEWS_MS})`;
}

export type RecentRow = {
  kind: Kind;
  atMs: number;
  transaction: TransactionRow;
  customerId: string;
  chainId: string;
  amountMilliunits: number | null;
  amountCurrency: string | null;
  willRenew: boolean | null;
  renewsTo: string | null;
  graceExpiresMs: number | null;
};

type StoredRow = Omit<RecentRow, 'transaction'> &
  Omit<TransactionRow, 'snapshot'> & { snapshot: unknown };

export async function selectRecent(
  db: Db,
  scope: OverviewScope,
  { limit, ...between }: Between & { limit: number },
): Promise<RecentRow[]> {
  const rows = await db<StoredRow[]>`
    SELECT found.kind, found.at_ms AS "atMs", found.snapshot, found.chain_id AS "chainId",
      found.price_milliunits AS "priceMilliunits", found.currency, found.storefront,
      found.transaction_reason AS reason, found.amount AS "amountMilliunits",
      found.amount_currency AS "amountCurrency", found.will_renew AS "willRenew",
      found.renews_to AS "renewsTo", found.grace_ms AS "graceExpiresMs",
      coalesce((SELECT min(one) FROM unnest(c.users) AS one), found.chain_id) AS "customerId"
    FROM (${changesSql(db, scope, between)}) found
    JOIN purchase_chains c ON c.org_id = ${scope.orgId} AND c.app_id = ${scope.appId}
      AND c.environment = ${scope.environment} AND c.original_transaction_id = found.chain_id
    ORDER BY found.at_ms DESC, found.chain_id DESC, found.kind LIMIT ${limit}`;
  return rows.map(({ snapshot, priceMilliunits, currency, storefront, reason, ...row }) => ({
    ...row,
    transaction: {
      snapshot: parseTransaction(snapshot),
      ...{ priceMilliunits, currency, storefront, reason },
    },
  }));
}

export type RecentSum = {
  kind: Kind;
  currency: string | null;
  count: number;
  priced: number;
  amountMilliunits: number | null;
};

export async function sumRecent(
  db: Db,
  scope: OverviewScope,
  between: Between,
): Promise<RecentSum[]> {
  const rows = await db<RecentSum[]>`
    SELECT kind, amount_currency AS currency, count(*) AS count, count(amount) AS priced,
      sum(amount)::bigint AS "amountMilliunits"
    FROM (${changesSql(db, scope, between)}) found
    GROUP BY kind, amount_currency ORDER BY kind, amount_currency`;
  return [...rows];
}
