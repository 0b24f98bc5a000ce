import { ACCOUNT_TOKEN } from '../../../shared/account-token.ts';
import type { AppScope } from '../../../shared/app.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import type { Db } from '../../../storage/postgres.ts';
import { isTrial } from '../../../storage/purchase-period.ts';
import type { ChainKey } from '../model/chain.ts';
import { parseDigest } from '../model/stored.ts';
import { givesOf } from './grants-queries.ts';
import type { Chain, Grant } from './rules.ts';

export type OwnedChain = Chain & {
  people: readonly string[];
  unpaid: readonly string[];
};

type OwnedRow = Pick<ChainKey, 'store'> & {
  digest: unknown;
  checkedAt: Date;
  people: string[];
  unpaid: string[];
};

const productsUnpaid = (db: Db) => db`
  ARRAY(SELECT t.snapshot ->> 'productId' || ' ' || (t.snapshot ->> 'purchasedAt')
    FROM purchase_transactions t
    WHERE t.org_id = c.org_id AND t.app_id = c.app_id AND t.environment = c.environment
      AND t.original_transaction_id = c.original_transaction_id
      AND (${isTrial(db, 't')} OR (t.price_milliunits = 0
        AND coalesce((t.snapshot ->> 'regularMilliunits')::numeric, 0) = 0)))`;

/** Real purchases by chain id, a page; users before devices. */
export async function selectOwnedChains(
  db: Db,
  { orgId, appId }: AppScope,
  { after, limit, withUnpaid }: { after: string; limit: number; withUnpaid: boolean },
): Promise<OwnedChain[]> {
  const rows = await db<OwnedRow[]>`
    SELECT c.store, c.digest, c.checked_at AS "checkedAt",
      CASE WHEN cardinality(c.users) > 0 THEN ARRAY(
          SELECT coalesce((SELECT p.user_id FROM event_people p
            WHERE u.id ~* ${ACCOUNT_TOKEN} AND p.org_id = c.org_id AND p.app_id = c.app_id
              AND p.user_id IN (u.id, lower(u.id), upper(u.id))
            ORDER BY p.user_id = u.id DESC LIMIT 1), u.id)
          FROM unnest(c.users) AS u (id))
        ELSE ARRAY(SELECT b.known_as FROM purchase_buyer(c.org_id, c.app_id, c.environment,
          c.original_transaction_id) b) END AS people,
      ${withUnpaid ? productsUnpaid(db) : db`ARRAY[]::text[]`} AS unpaid
    FROM purchase_chains c
    WHERE c.org_id = ${orgId} AND c.app_id = ${appId} AND c.environment = ${REAL_PURCHASES}
      AND c.digest IS NOT NULL AND c.original_transaction_id > ${after}
    ORDER BY c.original_transaction_id LIMIT ${limit}`;
  return rows.map(({ digest, checkedAt, ...row }) => ({
    ...row,
    environment: REAL_PURCHASES,
    digest: parseDigest(digest),
    checkedAtMs: checkedAt.getTime(),
  }));
}

export const selectGrantsInForce = (db: Db, { orgId, appId }: AppScope) => db<
  (Grant & { personId: string })[]
>`
  SELECT coalesce(p.user_id, g.user_id) AS "personId", g.product_id AS "productId", ${givesOf(db)} AS gives,
    g.granted_at AS "grantedAt", g.expires_at AS "expiresAt", false AS revoked
  FROM purchase_grants g LEFT JOIN event_people p ON g.kind = 'anonymous'
    AND p.org_id = g.org_id AND p.app_id = g.app_id AND p.anonymous_id = g.user_id
  WHERE g.org_id = ${orgId} AND g.app_id = ${appId} AND g.ended_at IS NULL`;
