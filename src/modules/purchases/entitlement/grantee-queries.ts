import type { AppScope } from '../../../shared/app.ts';
import { STORE_ENVIRONMENTS } from '../../../shared/environment.ts';
import { type Db, singleValue } from '../../../storage/postgres.ts';
import { isTransaction } from '../ledger/facts-queries.ts';
import type { Holder } from '../model/grant.ts';

type Buyer = { kind: 'user' | 'token' | 'anonymous'; id: string; knownAs: string };

export async function selectBuyerOf(
  db: Db,
  { orgId, appId }: AppScope,
  transactionId: string,
): Promise<{ buyer: Holder | null } | null> {
  const [found] = await db<(Buyer | { kind: null })[]>`
    SELECT b.kind, b.person_id AS id, b.known_as AS "knownAs"
    FROM (SELECT DISTINCT environment, original_transaction_id AS chain FROM purchase_transactions
      WHERE org_id = ${orgId} AND app_id = ${appId}
        AND environment = ANY (${[...STORE_ENVIRONMENTS]})
        AND (original_transaction_id = ${transactionId} OR ${isTransaction(db, transactionId)})) AS t
    LEFT JOIN LATERAL purchase_buyer(${orgId}, ${appId}, t.environment, t.chain) b ON true
    ORDER BY b.kind IS NULL, array_position(${[...STORE_ENVIRONMENTS]}::text[], t.environment)
    LIMIT 1`;
  if (!found) return null;
  if (found.kind === null) return { buyer: null };
  const isDevice = found.kind === 'anonymous' && found.knownAs === found.id;
  return { buyer: { kind: isDevice ? 'anonymous' : 'user', id: found.knownAs } };
}

export const isDeviceOnly = (db: Db, { orgId, appId }: AppScope, id: string) =>
  singleValue(db<{ isDevice: boolean }[]>`
    SELECT (EXISTS (SELECT FROM purchase_links
          WHERE org_id = ${orgId} AND app_id = ${appId} AND holder = ${`a:${id}`})
        OR EXISTS (SELECT FROM purchase_grants
          WHERE org_id = ${orgId} AND app_id = ${appId} AND user_id = ${id} AND kind = 'anonymous'))
      AND NOT EXISTS (SELECT FROM purchase_links
        WHERE org_id = ${orgId} AND app_id = ${appId} AND holder = ${`u:${id}`})
      AND NOT EXISTS (SELECT FROM event_people
        WHERE org_id = ${orgId} AND app_id = ${appId} AND user_id = ${id}) AS "isDevice"`);
