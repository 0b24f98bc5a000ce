import type { AppScope } from '../../../shared/app.ts';
import type { Db } from '../../../storage/postgres.ts';
import type { ChainKey } from '../model/chain.ts';

export const tokenHash = (purchaseToken: string): string =>
  new Bun.CryptoHasher('sha256').update(purchaseToken).digest('hex');

/** Of the token itself, of the one that it replaces, or of one that replaces it. */
export async function selectChainOfToken(
  db: Db,
  scope: AppScope,
  { hash, replaces }: { hash: string; replaces: string | null },
): Promise<string | null> {
  const [row] = await db<{ chainId: string }[]>`
    SELECT chain_id AS "chainId" FROM play_purchases
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND (token_hash IN (${hash}, ${replaces ?? hash}) OR replaces_hash = ${hash})
    ORDER BY token_hash <> ${hash}, first_seen_at LIMIT 1`;
  return row?.chainId ?? null;
}

export async function isTokenReplaced(db: Db, scope: AppScope, hash: string): Promise<boolean> {
  const rows = await db`
    SELECT FROM play_purchases WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND replaces_hash = ${hash} LIMIT 1`;
  return rows.length > 0;
}

export type SeenToken = {
  key: ChainKey;
  purchaseToken: string;
  replaces: string | null;
  isDue: boolean;
  at: Date;
};

export async function upsertToken(
  db: Db,
  { key, purchaseToken, replaces, isDue, at }: SeenToken,
): Promise<void> {
  await db`
    INSERT INTO play_purchases AS known (app_id, org_id, token_hash, purchase_token, environment,
      chain_id, replaces_hash, first_seen_at, asked_at, acknowledge_at)
    VALUES (${key.appId}, ${key.orgId}, ${tokenHash(purchaseToken)}, ${purchaseToken},
      ${key.environment}, ${key.chainId}, ${replaces}, ${at}, ${at}, ${isDue ? at : null})
    ON CONFLICT (app_id, token_hash) DO UPDATE SET asked_at = excluded.asked_at,
      replaces_hash = coalesce(excluded.replaces_hash, known.replaces_hash),
      acknowledge_at = CASE WHEN excluded.acknowledge_at IS NOT NULL
        THEN coalesce(known.acknowledge_at, excluded.acknowledge_at) END`;
}

/** That no other one replaces. */
export async function selectTokenInForce(db: Db, key: ChainKey): Promise<string | null> {
  const [row] = await db<{ purchaseToken: string }[]>`
    SELECT purchase_token AS "purchaseToken" FROM play_purchases p
    WHERE p.org_id = ${key.orgId} AND p.app_id = ${key.appId} AND p.chain_id = ${key.chainId}
      AND NOT EXISTS (SELECT FROM play_purchases r
        WHERE r.app_id = p.app_id AND r.replaces_hash = p.token_hash)
    ORDER BY p.first_seen_at DESC LIMIT 1`;
  return row?.purchaseToken ?? null;
}

export type DueAcknowledgement = AppScope & { purchaseToken: string; tries: number };

export const selectDueAcknowledgements = (db: Db, { now, limit }: { now: Date; limit: number }) =>
  db<DueAcknowledgement[]>`
    SELECT org_id AS "orgId", app_id AS "appId", purchase_token AS "purchaseToken",
      acknowledge_tries AS tries
    FROM play_purchases WHERE acknowledge_at <= ${now} ORDER BY acknowledge_at LIMIT ${limit}`;

/** `nextAt`: null once acknowledged. */
export async function recordAcknowledgement(
  db: Db,
  { orgId, appId, purchaseToken }: Omit<DueAcknowledgement, 'tries'>,
  { nextAt, error }: { nextAt: Date | null; error: string | null },
): Promise<void> {
  await db`
    UPDATE play_purchases SET acknowledge_at = ${nextAt}, acknowledge_error = ${error},
      acknowledge_tries = acknowledge_tries + 1
    WHERE org_id = ${orgId} AND app_id = ${appId} AND token_hash = ${tokenHash(purchaseToken)}`;
}
