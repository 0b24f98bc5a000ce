import { ACCOUNT_TOKEN } from '../../../shared/account-token.ts';
import type { AppScope } from '../../../shared/app.ts';
import { onlyRow } from '../../../shared/assert.ts';
import { idOrNull, isNoId } from '../../../shared/identity.ts';
import { type Db, type Fragment, type Tx, firstValue, done } from '../../../storage/postgres.ts';
import { isChain, keptAccount } from '../ledger/facts-queries.ts';
import type { ChainKey } from '../model/chain.ts';
import { type Link, MAX_LINKS, type Ownership } from './ownership.ts';

export const spelled = (db: Db, id: Fragment): Fragment => db`
  CASE WHEN ${id} ~* ${ACCOUNT_TOKEN} THEN ARRAY[${id}, lower(${id}), upper(${id})]
    ELSE ARRAY[${id}] END`;

export const selectMappedUser = (db: Db, scope: AppScope, anonymousId: string) =>
  firstValue(db<{ user_id: string }[]>`
    SELECT user_id FROM event_people
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND anonymous_id = ${anonymousId}`);

export async function selectOwnership(tx: Tx, key: ChainKey, movesSince: Date): Promise<Ownership> {
  const chain = onlyRow(
    await tx<Omit<Ownership, 'links'>[]>`
    SELECT app_account_token AS "appAccountToken", (
      SELECT count(*) FROM purchase_audit a
      WHERE a.app_id = c.app_id AND a.original_transaction_id = c.original_transaction_id
        AND a.environment = c.environment AND a.action = 'transferred' AND a.at > ${movesSince}
    ) AS "recentMoves"
    FROM purchase_chains c WHERE ${isChain(tx, key)} FOR UPDATE OF c`,
  );
  const links = await tx<(Link & { mappedUserId: string | null })[]>`
    SELECT l.kind, l.person_id AS "personId", p.user_id AS "mappedUserId"
    FROM purchase_links l
    LEFT JOIN event_people p
      ON l.kind = 'anonymous' AND p.app_id = l.app_id AND p.anonymous_id = l.person_id
    WHERE l.org_id = ${key.orgId} AND l.app_id = ${key.appId}
      AND l.environment = ${key.environment}
      AND l.original_transaction_id = ${key.chainId}
    ORDER BY l.linked_at, l.kind, l.person_id LIMIT ${MAX_LINKS}`;
  const appAccountToken = await keptAccount(tx, key, idOrNull(chain.appAccountToken));
  return { ...chain, appAccountToken, links: links.filter(({ personId }) => !isNoId(personId)) };
}

export async function insertLinks(
  tx: Tx,
  key: ChainKey,
  links: readonly Link[],
  at: Date,
): Promise<void> {
  for (const link of links) {
    await tx`
      INSERT INTO purchase_links (app_id, org_id, environment, original_transaction_id, kind,
        person_id, linked_at)
      VALUES (${key.appId}, ${key.orgId}, ${key.environment}, ${key.chainId},
        ${link.kind}, ${link.personId}, ${at})
      ON CONFLICT DO NOTHING`;
  }
}

/** After every change of links. */
export const refreshHolders = (tx: Tx, key: ChainKey) =>
  done(tx`
    UPDATE purchase_chains c SET users = ARRAY(
      SELECT l.person_id FROM purchase_links l
      WHERE l.app_id = c.app_id AND l.environment = c.environment
        AND l.original_transaction_id = c.original_transaction_id AND l.kind = 'user')
    WHERE ${isChain(tx, key)}`);

export const deleteLinks = (tx: Tx, key: ChainKey) =>
  done(tx`DELETE FROM purchase_links WHERE ${isChain(tx, key)}`);
