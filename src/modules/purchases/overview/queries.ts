import type { AppScope } from '../../../shared/app.ts';
import type { StoreEnvironment } from '../../../shared/environment.ts';
import type { Store } from '../../../shared/stores.ts';
import {
  type Db,
  type Fragment,
  type Sql,
  type Tx,
  done,
  firstValue,
} from '../../../storage/postgres.ts';
import { readPages } from '../../../storage/read-pages.ts';
import { isTrial } from '../../../storage/purchase-period.ts';
import type { ChainRow } from '../model/chain.ts';
import { type ChainHistory, parseHistory } from './history.ts';
import type { LengthCount } from './period-length.ts';

export type OverviewScope = AppScope & { environment: StoreEnvironment };

const BATCH = 1_000;
/** More than a weekly subscription makes in thirty years. */
const MAX_ROWS = 2_000;

type Revised = ChainRow & { revision: number };
export type UnfoldedChain = Revised & { history: ChainHistory };

export async function selectUnfolded(
  db: Db,
  scope: OverviewScope | null,
  limit: number,
): Promise<UnfoldedChain[]> {
  const ofChain = db`
    x.org_id = c.org_id AND x.app_id = c.app_id AND x.environment = c.environment
    AND x.original_transaction_id = c.original_transaction_id`;
  const inScope = scope
    ? db`AND c.org_id = ${scope.orgId} AND c.app_id = ${scope.appId}
        AND c.environment = ${scope.environment}`
    : db``;
  const rows = await db<(Revised & { transactions: unknown; renewals: unknown })[]>`
    SELECT c.org_id AS "orgId", c.app_id AS "appId", c.environment,
      c.original_transaction_id AS "chainId", c.facts_revision AS revision,
      (SELECT coalesce(json_agg(t), '[]') FROM (
        SELECT x.transaction_id AS "transactionId", x.snapshot->'productId' AS "productId",
          x.storefront AS country, x.snapshot->'purchasedAt' AS "purchasedAt",
          x.snapshot->'expiresAt' AS "expiresAt", x.snapshot->'revokedAt' AS "revokedAt",
          x.snapshot->'upgraded' AS upgraded, x.snapshot->'startsAt' AS "startsAt",
          x.snapshot->'refundedAt' AS "refundedAt", x.snapshot->'isAddOn' AS "isAddOn",
          x.snapshot->'regularMilliunits' AS "regularMilliunits",
          x.snapshot->'planPeriod' AS "planPeriod",
          x.snapshot->>'type' = 'subscription' OR (x.snapshot->>'type' = 'unknown'
            AND x.snapshot->>'expiresAt' IS NOT NULL) AS "autoRenewable",
          x.snapshot->>'ownership' = 'family_shared' AS "familyShared",
          ${isTrial(db, 'x')} AS "freeTrial", x.offer_discount_type AS "discountCode",
          x.offer_type AS "offerCode", x.offer_identifier AS "offerId", x.offer_period AS "offerPeriod", x.first_expires_ms AS "firstExpiresAt",
          x.billing_plan AS "planCode", x.price_milliunits AS "priceMilliunits", x.currency,
          x.revocation_percentage_milliunits AS "refundedMilliunits"
        FROM purchase_transactions x WHERE ${ofChain} LIMIT ${MAX_ROWS}) t) AS transactions,
      (SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT x.signed_ms AS "signedAt", x.will_renew AS "willRenew",
          x.in_billing_retry AS retrying, x.expiration_intent AS "expiryCode",
          x.grace_expires_ms AS "graceExpiresAt"
        FROM purchase_renewals x WHERE ${ofChain}
        ORDER BY x.signed_ms DESC LIMIT ${MAX_ROWS}) r) AS renewals
    FROM purchase_chains c
    WHERE c.folded_revision <> c.facts_revision ${inScope}
    ORDER BY c.app_id, c.environment, c.original_transaction_id LIMIT ${limit}`;
  return rows.map(({ transactions, renewals, ...row }) => ({
    ...row,
    history: parseHistory({ transactions, renewals }),
  }));
}

export type SavedFold = Revised & {
  beginsMs: number | null;
  untilMs: number;
  fold: unknown;
  lengths: readonly LengthCount[];
};

export async function saveFolds(tx: Tx, folds: readonly SavedFold[]): Promise<void> {
  const rows = tx`
    json_to_recordset(${JSON.stringify(folds)}::text::json) AS f ("orgId" text, "appId" text,
      environment text, "chainId" text, revision bigint, "beginsMs" bigint,
      "untilMs" bigint, fold json, lengths jsonb)`;
  const counted = (lengths: Fragment) => tx`
    jsonb_to_recordset(${lengths}) AS l ("productId" text, "billedMonthly" boolean, duration text,
      periods bigint)`;
  const ofFold = tx`
    c.org_id = f."orgId" AND c.app_id = f."appId" AND c.environment = f.environment
    AND c.original_transaction_id = f."chainId" AND c.facts_revision = f.revision`;
  // One lock order everywhere against deadlocks.
  await tx`
    SELECT 1 FROM purchase_chains c JOIN ${rows} ON ${ofFold}
    ORDER BY c.app_id, c.environment, c.original_transaction_id FOR UPDATE OF c`;
  await tx`
    WITH folded AS (
      UPDATE purchase_chains c SET folded_revision = f.revision FROM ${rows} WHERE ${ofFold}
      RETURNING f.*, c.store
    ), saved AS (
      INSERT INTO purchase_folds AS known (org_id, app_id, environment, original_transaction_id,
        store, begins_ms, until_ms, fold, lengths)
      SELECT "orgId", "appId", environment, "chainId", store, "beginsMs", "untilMs", fold, lengths
      FROM folded
      ON CONFLICT (app_id, environment, original_transaction_id) DO UPDATE
        SET begins_ms = excluded.begins_ms, until_ms = excluded.until_ms, fold = excluded.fold,
          lengths = excluded.lengths, lengths_before = known.lengths
      RETURNING org_id, app_id, environment, lengths, lengths_before
    ), change AS (
      SELECT s.org_id, s.app_id, s.environment, l.* FROM saved s, ${counted(tx`s.lengths`)}
      UNION ALL
      SELECT s.org_id, s.app_id, s.environment, l."productId", l."billedMonthly", l.duration,
        -l.periods
      FROM saved s, ${counted(tx`s.lengths_before`)}
    )
    INSERT INTO purchase_period_lengths AS known (org_id, app_id, environment, product_id,
      billed_monthly, duration, periods)
    SELECT org_id, app_id, environment, "productId", "billedMonthly", duration, sum(periods)
    FROM change GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(periods) <> 0
    ORDER BY 2, 3, 4, 5, 6
    ON CONFLICT (app_id, environment, product_id, billed_monthly, duration) DO UPDATE
      SET periods = known.periods + excluded.periods`;
}

export const markUnfolded = (db: Db, scope: OverviewScope, ids: readonly string[]) =>
  done(db`
    UPDATE purchase_chains SET folded_revision = 0
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND environment = ${scope.environment} AND original_transaction_id = ANY (${[...ids]})`);

/** Whether held only where asked. */
export type FoldRow = { id: string; store: Store; fold: string; isHeld?: boolean };

export type FoldsInput = {
  fromMs: number;
  endMs: number;
  ids: readonly string[] | null;
  holders: boolean;
  /** Left out: all of them. */
  store?: Store | undefined;
};

/** Folds relevant to a window, in batches of one snapshot. */
export async function* readFolds(
  sql: Sql,
  scope: OverviewScope,
  { fromMs, endMs, ids, holders, store }: FoldsInput,
): AsyncGenerator<FoldRow[]> {
  const isHeld = holders
    ? sql`, EXISTS (SELECT 1 FROM purchase_links l WHERE l.org_id = f.org_id
        AND l.app_id = f.app_id AND l.environment = f.environment
        AND l.original_transaction_id = f.original_transaction_id) AS "isHeld"`
    : sql``;
  const rows = sql<FoldRow[]>`
    SELECT original_transaction_id AS id, store, fold::text ${isHeld} FROM purchase_folds f
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND environment = ${scope.environment} AND until_ms >= ${fromMs} AND begins_ms < ${endMs}
      ${store === undefined ? sql`` : sql`AND store = ${store}`}
      ${ids === null ? sql`` : sql`AND original_transaction_id = ANY (${[...ids]})`}`;
  yield* readPages(rows, BATCH);
}

export const selectLengthCounts = (sql: Sql, scope: OverviewScope) => sql<LengthCount[]>`
  SELECT product_id AS "productId", billed_monthly AS "billedMonthly", duration, periods
  FROM purchase_period_lengths
  WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
    AND environment = ${scope.environment} AND periods > 0`;

export const selectFirstPurchase = (sql: Sql, scope: OverviewScope) =>
  firstValue(sql<{ first: number | null }[]>`
    SELECT min(begins_ms) AS first FROM purchase_folds
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND environment = ${scope.environment}`);

export async function countUnreadHistories(
  sql: Sql,
  scope: OverviewScope,
  store?: Store,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*) AS count FROM purchase_chains
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND environment = ${scope.environment} AND history_read_at IS NULL
      ${store === undefined ? sql`` : sql`AND store = ${store}`}`;
  return row?.count ?? 0;
}
