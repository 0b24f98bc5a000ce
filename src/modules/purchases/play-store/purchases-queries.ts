import type { AppScope } from '../../../shared/app.ts';
import { type Db, firstValue, hasRows, done } from '../../../storage/postgres.ts';
import { isChain } from '../ledger/facts-queries.ts';
import type { ChainKey } from '../model/chain.ts';
import type { PlayKind } from '../../../providers/play-store/port.ts';

export const tokenHash = (purchaseToken: string): string =>
  new Bun.CryptoHasher('sha256').update(purchaseToken).digest('hex');

export async function selectSettledOrders(
  db: Db,
  scope: AppScope,
  hash: string,
): Promise<string[]> {
  const [row] = await db<{ settledOrders: string[] }[]>`
    SELECT priced_orders AS "settledOrders" FROM play_purchases
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND token_hash = ${hash}`;
  return row?.settledOrders ?? [];
}

/** By the token itself, the one that it names, or one that replaces it. */
export const selectChainOfToken = (
  db: Db,
  scope: AppScope,
  { hash, linked }: { hash: string; linked: string | null },
) =>
  firstValue(db<{ chainId: string }[]>`
    SELECT chain_id AS "chainId" FROM play_purchases
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND chain_id IS NOT NULL
      AND (token_hash IN (${hash}, ${linked ?? hash}) OR replaces_hash = ${hash})
    ORDER BY token_hash <> ${hash}, first_seen_at LIMIT 1`);

export const isTokenReplaced = (db: Db, scope: AppScope, hash: string) =>
  hasRows(db`
    SELECT FROM play_purchases WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND replaces_hash = ${hash} LIMIT 1`);

export type SeenToken = {
  key: ChainKey;
  purchaseToken: string;
  kind: PlayKind;
  replaces: string | null;
  pendingOrderId: string | null;
  settledOrders: readonly string[];
  isAcknowledgementDue: boolean;
  /** Null: there is nothing to expect. */
  askAgainAt: Date | null;
  /** A hint since then is about more than the answer. */
  askedAt: Date;
  at: Date;
};

export async function upsertToken(db: Db, token: SeenToken): Promise<void> {
  const { key, purchaseToken, kind, replaces, isAcknowledgementDue, askAgainAt } = token;
  const { settledOrders, pendingOrderId, askedAt, at } = token;
  await db`
    INSERT INTO play_purchases AS known (app_id, org_id, token_hash, purchase_token, kind,
      environment, chain_id, replaces_hash, priced_orders, first_seen_at, asked_at, ask_at,
      acknowledge_at, pending_order_id)
    VALUES (${key.appId}, ${key.orgId}, ${tokenHash(purchaseToken)}, ${purchaseToken}, ${kind},
      ${key.environment}, ${key.chainId}, ${replaces}, ${[...settledOrders]}, ${at}, ${at},
      ${askAgainAt},
      ${isAcknowledgementDue ? at : null}, ${pendingOrderId})
    ON CONFLICT (app_id, token_hash) DO UPDATE SET asked_at = excluded.asked_at,
      pending_order_id = excluded.pending_order_id,
      priced_orders = excluded.priced_orders, kind = excluded.kind, environment = excluded.environment, chain_id = excluded.chain_id,
      replaces_hash = coalesce(excluded.replaces_hash, known.replaces_hash),
      ask_at = CASE WHEN known.hinted_at > ${askedAt} THEN known.ask_at ELSE excluded.ask_at END,
      ask_tries = 0, ask_error = NULL,
      acknowledge_at = CASE WHEN excluded.acknowledge_at IS NOT NULL
        THEN coalesce(known.acknowledge_at, excluded.acknowledge_at) END`;
}

export const noteHistory = (db: Db, key: ChainKey, at: Date) =>
  done(db`
    UPDATE purchase_chains SET history_read_at = ${at}
    WHERE ${isChain(db, key)} AND history_read_at IS NULL AND NOT EXISTS (
      SELECT FROM play_purchases p JOIN play_purchases old
        ON old.app_id = p.app_id AND old.token_hash = p.replaces_hash
      WHERE p.org_id = ${key.orgId} AND p.app_id = ${key.appId} AND p.chain_id = ${key.chainId}
        AND old.asked_at IS NULL AND old.ask_at IS NOT NULL)`);

export type TokenInForce = { purchaseToken: string; kind: PlayKind; settledOrders: string[] };

/** One in force, and one that waits for its money. */
const MAX_IN_FORCE = 2;

/** That no other one replaces. */
export const selectTokensInForce = (db: Db, key: ChainKey) =>
  db<TokenInForce[]>`
    SELECT purchase_token AS "purchaseToken", kind, priced_orders AS "settledOrders"
    FROM play_purchases p
    WHERE p.org_id = ${key.orgId} AND p.app_id = ${key.appId} AND p.chain_id = ${key.chainId}
      AND NOT EXISTS (SELECT FROM play_purchases r
        WHERE r.app_id = p.app_id AND r.replaces_hash = p.token_hash)
    ORDER BY p.ask_at IS NULL, p.first_seen_at DESC LIMIT ${MAX_IN_FORCE}`;
