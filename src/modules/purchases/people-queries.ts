import { subjectHash } from '../../event-store/append.ts';
import type { Environment } from '../../providers/store-server/port.ts';
import { parser } from '../../shared/schema.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import { ChainDigest } from './digest.ts';
import type { Chain } from './entitlement.ts';
import type { ChainKey } from './facts-queries.ts';
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

/** Keeps the users beside the digest; call it after every change of the links. */
export async function refreshHolders(tx: Tx, key: ChainKey): Promise<void> {
  await tx`
    UPDATE purchase_chains c SET users = ARRAY(
      SELECT l.person_id FROM purchase_links l
      WHERE l.app_id = c.app_id AND l.environment = c.environment
        AND l.original_transaction_id = c.original_transaction_id AND l.kind = 'user')
    WHERE c.org_id = ${key.orgId} AND c.app_id = ${key.appId}
      AND c.environment = ${key.environment}
      AND c.original_transaction_id = ${key.originalTransactionId}`;
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

type HeldRow = {
  environment: Environment;
  digest: unknown;
  checked_at: Date;
  users: string[];
  /** `u:`, `a:` or `t:` and the id that the chain was found by; null when it was named itself. */
  holder: string | null;
  /** The user whom the anonymous id of the question is known as. */
  mapped_user: string | null;
};

/** Ids of one user, and chains of one person, beyond which the rest is not looked at. */
const MAX_IDS = 200;
const MAX_CHAINS = 200;

type Scope = { orgId: string; appId: string };

const holderOf = {
  user: (id: string) => `u:${id}`,
  anonymous: (id: string) => `a:${id}`,
  token: (id: string) => `t:${id}`,
} as const;

/** Chains of a user (and account token), those bought on the user's devices before sign-up too. */
function byUser(db: Db, scope: Scope, ids: { userId: string | null; holders: string[] }) {
  return db<HeldRow[]>`
    SELECT c.environment, c.digest, c.checked_at, c.users, l.holder, NULL AS mapped_user
    FROM purchase_links l
    JOIN purchase_chains c ON c.app_id = l.app_id AND c.environment = l.environment
      AND c.original_transaction_id = l.original_transaction_id
    WHERE l.app_id = ${scope.appId} AND l.org_id = ${scope.orgId} AND c.digest IS NOT NULL
      AND l.holder = ANY(ARRAY(
        SELECT unnest(${ids.holders}::text[])
        UNION ALL (SELECT 'a:' || anonymous_id FROM event_people
          WHERE app_id = ${scope.appId} AND user_id = ${ids.userId} LIMIT ${MAX_IDS})))
    LIMIT ${MAX_CHAINS}`;
}

/** Chains of an anonymous id, and of the user whom it is known as. */
function byAnonymous(
  db: Db,
  scope: Scope,
  ids: { userId: string | null; anonymousId: string; holders: string[] },
) {
  return db<HeldRow[]>`
    WITH me AS MATERIALIZED (
      SELECT user_id FROM event_people
      WHERE app_id = ${scope.appId} AND anonymous_id = ${ids.anonymousId}
    )
    SELECT c.environment, c.digest, c.checked_at, c.users, l.holder,
      (SELECT user_id FROM me) AS mapped_user
    FROM purchase_links l
    JOIN purchase_chains c ON c.app_id = l.app_id AND c.environment = l.environment
      AND c.original_transaction_id = l.original_transaction_id
    WHERE l.app_id = ${scope.appId} AND l.org_id = ${scope.orgId} AND c.digest IS NOT NULL
      AND l.holder = ANY(ARRAY(
        SELECT unnest(${ids.holders}::text[])
        UNION ALL SELECT 'u:' || user_id FROM me
        UNION ALL (SELECT 'a:' || p.anonymous_id FROM event_people p
          WHERE p.app_id = ${scope.appId}
            AND p.user_id = coalesce(${ids.userId}::text, (SELECT user_id FROM me))
          LIMIT ${MAX_IDS})))
    LIMIT ${MAX_CHAINS}`;
}

function byTransaction(db: Db, scope: Scope, originalTransactionId: string) {
  return db<HeldRow[]>`
    SELECT environment, digest, checked_at, users, NULL AS holder, NULL AS mapped_user
    FROM purchase_chains
    WHERE app_id = ${scope.appId} AND org_id = ${scope.orgId}
      AND environment IN ('Production', 'Sandbox')
      AND original_transaction_id = ${originalTransactionId} AND digest IS NOT NULL`;
}

/** Each kind of question has a statement of its own: the shortest is the fastest. */
function rowsOf(db: Db, scope: Scope, ids: PersonIds) {
  const { userId, anonymousId, appAccountToken, originalTransactionId } = ids;
  const holders: string[] = [];
  if (userId !== null) holders.push(holderOf.user(userId));
  if (anonymousId !== null) holders.push(holderOf.anonymous(anonymousId));
  if (appAccountToken !== null) holders.push(holderOf.token(appAccountToken));
  const asked = [];
  if (anonymousId !== null) asked.push(byAnonymous(db, scope, { userId, anonymousId, holders }));
  else if (holders.length > 0) asked.push(byUser(db, scope, { userId, holders }));
  if (originalTransactionId !== null) asked.push(byTransaction(db, scope, originalTransactionId));
  return Promise.all(asked);
}

/** An anonymous id that is known as another user stands on a shared device: it proves nothing. */
function isTheirs(row: HeldRow, ids: PersonIds): boolean {
  const user = ids.userId ?? row.mapped_user;
  const byAlias = ids.anonymousId !== null && row.holder === holderOf.anonymous(ids.anonymousId);
  if (byAlias && row.mapped_user !== null && row.mapped_user !== user) return false;
  return user === null || row.users.length === 0 || row.users.includes(user);
}

/**
 * Every chain that a person holds: by user, by the anonymous ids that are known as that user, by
 * account token, by transaction. What another user holds is left out.
 */
export async function selectHeldChains(db: Db, scope: Scope, ids: PersonIds): Promise<Chain[]> {
  const chains = new Map<string, Chain>();
  for (const row of (await rowsOf(db, scope, ids)).flat()) {
    if (!isTheirs(row, ids)) continue;
    const digest = digestParser.parse(row.digest);
    const { environment } = row;
    const chain = { environment, digest, checkedAtMs: row.checked_at.getTime() };
    chains.set(`${environment} ${digest.originalTransactionId}`, chain);
  }
  return [...chains.values()];
}

/** The ids of these that belong to a person who was erased: nothing is tied to them again. */
export async function selectErased(
  db: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const byHash = new Map(ids.map((id) => [subjectHash(scope.appId, id), id]));
  const rows = await db<{ subject_hash: string }[]>`
    SELECT subject_hash FROM event_erasures
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND subject_hash = ANY(${[...byHash.keys()]})`;
  return new Set(rows.map((row) => byHash.get(row.subject_hash) ?? ''));
}

/** Forgets a person: nobody finds their purchases by these ids any more. The chains stay. */
export async function erasePurchaseLinks(
  db: Db,
  scope: { orgId: string; appId: string },
  personIds: readonly string[],
): Promise<void> {
  await db`
    DELETE FROM purchase_links
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND person_id = ANY(${[...personIds]})`;
  await db`
    UPDATE purchase_chains SET users = ARRAY(
      SELECT held FROM unnest(users) AS held WHERE held <> ALL(${[...personIds]}))
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND users && ${[...personIds]}`;
  await db`
    UPDATE purchase_audit SET
      from_id = CASE WHEN from_id = ANY(${[...personIds]}) THEN 'erased' ELSE from_id END,
      to_id = CASE WHEN to_id = ANY(${[...personIds]}) THEN 'erased' ELSE to_id END
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND (from_id = ANY(${[...personIds]}) OR to_id = ANY(${[...personIds]}))`;
}
