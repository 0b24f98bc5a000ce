import type { AppScope } from '../../../shared/app.ts';
import { type Db, firstRow, done } from '../../../storage/postgres.ts';
import type { ChainKey } from '../model/chain.ts';
import { GOOGLE_PLAY } from './model.ts';
import { tokenHash } from './purchases-queries.ts';

export type VoidsDue = { readTo: Date | null };

export const selectVoidsDue = (db: Db, { orgId, appId }: AppScope, now: Date) =>
  firstRow(db<VoidsDue[]>`
    SELECT voids_read_to AS "readTo" FROM play_connections
    WHERE org_id = ${orgId} AND app_id = ${appId} AND voids_at <= ${now}`);

/** A notification since `askedAt` stays due. */
export const recordVoidsRead = (
  db: Db,
  { orgId, appId }: AppScope,
  { askedAt, nextAt, readTo, error }: VoidsRead,
) =>
  done(db`
    UPDATE play_connections SET voids_error = ${error},
      voids_read_to = coalesce(${readTo}, voids_read_to),
      voids_at = CASE WHEN voids_at > ${askedAt} THEN voids_at ELSE ${nextAt} END
    WHERE org_id = ${orgId} AND app_id = ${appId}`);

export type VoidsRead = {
  askedAt: Date;
  nextAt: Date;
  /** Null after a failure. */
  readTo: Date | null;
  error: string | null;
};

export const hintAtVoids = (db: Db, { orgId, appId }: AppScope, at: Date) =>
  done(db`
    UPDATE play_connections SET voids_at = ${at}
    WHERE org_id = ${orgId} AND app_id = ${appId}`);

/** Null of a token that was never asked about. */
export async function selectKeyOfToken(
  db: Db,
  scope: AppScope,
  purchaseToken: string,
): Promise<ChainKey | null> {
  const [row] = await db<Pick<ChainKey, 'chainId' | 'environment'>[]>`
    SELECT chain_id AS "chainId", environment FROM play_purchases
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND token_hash = ${tokenHash(purchaseToken)} AND chain_id IS NOT NULL`;
  return row ? { store: GOOGLE_PLAY, ...scope, ...row } : null;
}
