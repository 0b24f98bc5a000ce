import type { Environment } from '../../providers/store-server/port.ts';
import { parser } from '../../shared/schema.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import { ChainDigest } from './digest.ts';
import type { Chain } from './entitlement.ts';
import type { ChainKey } from './facts-store.ts';
import { type Held, type Link, type LinkKind, MAX_LINKS } from './ownership.ts';

const digestParser = parser(ChainDigest, 'purchase_chains digest');

/** The user that an anonymous id is known as through the app's events (design §5). */
export async function selectMappedUser(
  db: Db,
  scope: { orgId: string; appId: string },
  anonymousId: string,
): Promise<string | null> {
  const [row] = await db<{ user_id: string }[]>`
    SELECT user_id FROM event_people
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND anonymous_id = ${anonymousId}`;
  return row?.user_id ?? null;
}

type LinkRow = { kind: LinkKind; person_id: string; mapped_user_id: string | null };

/** How a chain is held; the caller holds the lock on its row. `movesSince` bounds `recentMoves`. */
export async function selectHeld(tx: Tx, key: ChainKey, movesSince: Date): Promise<Held> {
  const [chain] = await tx<{ app_account_token: string | null; moves: number }[]>`
    SELECT app_account_token, (
      SELECT count(*) FROM purchase_audit a
      WHERE a.app_id = c.app_id AND a.original_transaction_id = c.original_transaction_id
        AND a.environment = c.environment AND a.action = 'transferred' AND a.at > ${movesSince}
    ) AS moves
    FROM purchase_chains c
    WHERE org_id = ${key.orgId} AND app_id = ${key.appId} AND environment = ${key.environment}
      AND original_transaction_id = ${key.originalTransactionId}
    FOR UPDATE OF c`;
  const links = await tx<LinkRow[]>`
    SELECT l.kind, l.person_id, p.user_id AS mapped_user_id
    FROM purchase_links l
    LEFT JOIN event_people p
      ON l.kind = 'anonymous' AND p.app_id = l.app_id AND p.anonymous_id = l.person_id
    WHERE l.org_id = ${key.orgId} AND l.app_id = ${key.appId}
      AND l.environment = ${key.environment}
      AND l.original_transaction_id = ${key.originalTransactionId}
    ORDER BY l.linked_at, l.kind, l.person_id LIMIT ${MAX_LINKS}`;
  return {
    appAccountToken: chain?.app_account_token ?? null,
    recentMoves: chain?.moves ?? 0,
    links: links.map((row) => ({
      kind: row.kind,
      personId: row.person_id,
      mappedUserId: row.mapped_user_id,
    })),
  };
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
      VALUES (${key.appId}, ${key.orgId}, ${key.environment}, ${key.originalTransactionId},
        ${link.kind}, ${link.personId}, ${at})
      ON CONFLICT DO NOTHING`;
  }
}

export async function deleteLinks(tx: Tx, key: ChainKey): Promise<void> {
  await tx`
    DELETE FROM purchase_links
    WHERE org_id = ${key.orgId} AND app_id = ${key.appId} AND environment = ${key.environment}
      AND original_transaction_id = ${key.originalTransactionId}`;
}

/** The ids of a question; together they mean one person. */
export type PersonIds = {
  userId: string | null;
  anonymousId: string | null;
  appAccountToken: string | null;
  originalTransactionId: string | null;
};

type HeldRow = { environment: Environment; digest: unknown; checked_at: Date };
export type HeldChain = Chain & { environment: Environment };

/** Ids of one user beyond which the rest is not looked at. */
const MAX_IDS = 200;
const MAX_CHAINS = 200;

/**
 * Every chain that a person holds, in one statement: by user, by the anonymous ids that are known
 * as that user, by account token, by transaction. What a user names but another user holds is left
 * out; so is an anonymous id that is known as somebody else.
 */
export async function selectHeldChains(
  db: Db,
  scope: { orgId: string; appId: string },
  ids: PersonIds,
): Promise<HeldChain[]> {
  const rows = await db<HeldRow[]>`
    WITH mapped AS (
      SELECT user_id FROM event_people
      WHERE app_id = ${scope.appId} AND anonymous_id = ${ids.anonymousId}
    ), users AS (
      SELECT ${ids.userId}::text AS user_id WHERE ${ids.userId}::text IS NOT NULL
      UNION ALL SELECT user_id FROM mapped WHERE ${ids.userId}::text IS NULL
    ), person AS (
      SELECT 'user' AS kind, user_id AS person_id FROM users
      UNION ALL SELECT 'token', ${ids.appAccountToken}::text
      UNION ALL SELECT 'anonymous', ${ids.anonymousId}::text
        WHERE NOT EXISTS (SELECT FROM mapped WHERE user_id <> ${ids.userId}::text)
      UNION ALL (SELECT 'anonymous', p.anonymous_id FROM event_people p
        JOIN users u ON u.user_id = p.user_id WHERE p.app_id = ${scope.appId} LIMIT ${MAX_IDS})
    ), named AS (
      SELECT l.environment, l.original_transaction_id FROM person
        JOIN purchase_links l ON l.app_id = ${scope.appId} AND l.kind = person.kind
          AND l.person_id = person.person_id
      UNION SELECT c.environment, c.original_transaction_id FROM purchase_chains c
        WHERE c.app_id = ${scope.appId}
          AND c.original_transaction_id = ${ids.originalTransactionId}::text
    )
    SELECT c.environment, c.digest, c.checked_at FROM named
    JOIN purchase_chains c ON c.app_id = ${scope.appId} AND c.environment = named.environment
      AND c.original_transaction_id = named.original_transaction_id
    WHERE c.org_id = ${scope.orgId} AND c.digest IS NOT NULL
      AND NOT EXISTS (
        SELECT FROM purchase_links o
        WHERE o.app_id = c.app_id AND o.environment = c.environment
          AND o.original_transaction_id = c.original_transaction_id AND o.kind = 'user'
          AND EXISTS (SELECT FROM users)
          AND NOT EXISTS (
            SELECT FROM purchase_links mine JOIN person ON person.kind = mine.kind
              AND person.person_id = mine.person_id AND mine.kind <> 'anonymous'
            WHERE mine.app_id = c.app_id AND mine.environment = c.environment
              AND mine.original_transaction_id = c.original_transaction_id))
    LIMIT ${MAX_CHAINS}`;
  return rows.map((row) => ({
    environment: row.environment,
    digest: digestParser.parse(row.digest),
    checkedAtMs: row.checked_at.getTime(),
  }));
}

/** Forgets a person: nobody finds their purchases by these ids any more. The chains stay. */
export async function erasePerson(
  db: Db,
  scope: { orgId: string; appId: string },
  personIds: readonly string[],
): Promise<void> {
  await db`
    DELETE FROM purchase_links
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND person_id = ANY(${[...personIds]})`;
  await db`
    UPDATE purchase_audit SET
      from_id = CASE WHEN from_id = ANY(${[...personIds]}) THEN 'erased' ELSE from_id END,
      to_id = CASE WHEN to_id = ANY(${[...personIds]}) THEN 'erased' ELSE to_id END
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND (from_id = ANY(${[...personIds]}) OR to_id = ANY(${[...personIds]}))`;
}
