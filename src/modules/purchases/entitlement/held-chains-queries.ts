import type { AppScope } from '../../../shared/app.ts';
import { spellingsOf, toAccountToken } from '../../../shared/account-token.ts';
import type { StoreEnvironment } from '../../../shared/environment.ts';
import { STORE_ENVIRONMENTS } from '../../../shared/environment.ts';
import type { Db, Fragment } from '../../../storage/postgres.ts';
import type { ChainKey } from '../model/chain.ts';
import { parseDigest } from '../model/stored.ts';
import { spelled } from '../ownership/links-queries.ts';
import { isHolder, type PersonIds, toHolder } from '../ownership/ownership.ts';
import type { Chain } from './rules.ts';

type HeldRow = Pick<ChainKey, 'store'> & {
  environment: StoreEnvironment;
  digest: unknown;
  checkedAt: Date;
  users: string[];
  /** The link of the match; null when found by chain id. */
  holder: string | null;
  mappedUser: string | null;
};

const MAX_IDS = 200;
const MAX_CHAINS = 200;

const chainsOf = (db: Db, scope: AppScope, mappedUser: Fragment, holders: Fragment) => db`
  SELECT c.store, c.environment, c.digest, c.checked_at AS "checkedAt", c.users, l.holder,
    ${mappedUser} AS "mappedUser"
  FROM purchase_links l
  JOIN purchase_chains c ON c.app_id = l.app_id AND c.environment = l.environment
    AND c.original_transaction_id = l.original_transaction_id
  WHERE l.app_id = ${scope.appId} AND l.org_id = ${scope.orgId} AND c.digest IS NOT NULL
    AND l.holder = ANY(ARRAY(${holders}))
  LIMIT ${MAX_CHAINS}`;

const aliasesOf = (db: Db, scope: AppScope, userId: Fragment) => db`
  (SELECT 'a:' || p.anonymous_id FROM event_people p
    WHERE p.app_id = ${scope.appId} AND p.user_id = ANY (${spelled(db, userId)}) LIMIT ${MAX_IDS})`;

/** Also on the user's devices before sign-up. */
function chainsOfUser(db: Db, scope: AppScope, ids: { userId: string | null; holders: string[] }) {
  const holders = db`
    SELECT unnest(${ids.holders}::text[]) UNION ALL ${aliasesOf(db, scope, db`${ids.userId}::text`)}`;
  return db<HeldRow[]>`${chainsOf(db, scope, db`NULL`, holders)}`;
}

function chainsOfAnonymous(
  db: Db,
  scope: AppScope,
  ids: Pick<PersonIds, 'userId' | 'appAccountToken'> & { anonymousId: string; holders: string[] },
) {
  const me = db`(SELECT user_id FROM me)`;
  // Another user's device says nothing of who is named.
  const isUnnamed = ids.userId === null;
  const person = db`coalesce(${ids.userId}::text, ${me}, ${ids.appAccountToken}, ${ids.anonymousId})`;
  const holders = db`
    SELECT unnest(${ids.holders}::text[])
    UNION ALL SELECT 'u:' || unnest(${spelled(db, person)}) WHERE ${isUnnamed}
    UNION ALL SELECT 't:' || lower(${person}) WHERE ${isUnnamed}
    UNION ALL ${aliasesOf(db, scope, person)}`;
  return db<HeldRow[]>`
    WITH me AS MATERIALIZED (
      SELECT user_id FROM event_people
      WHERE app_id = ${scope.appId} AND anonymous_id = ${ids.anonymousId}
    )
    ${chainsOf(db, scope, me, holders)}`;
}

const chainsOfTransaction = (db: Db, scope: AppScope, chainId: string) => db<HeldRow[]>`
    SELECT store, environment, digest, checked_at AS "checkedAt", users, NULL AS holder,
      NULL AS "mappedUser"
    FROM purchase_chains
    WHERE app_id = ${scope.appId} AND org_id = ${scope.orgId}
      AND environment = ANY (${[...STORE_ENVIRONMENTS]})
      AND original_transaction_id = ${chainId} AND digest IS NOT NULL`;

async function selectRows(db: Db, scope: AppScope, ids: PersonIds): Promise<HeldRow[]> {
  const { userId, anonymousId, appAccountToken, chainId } = ids;
  const holders: string[] = [];
  const user = userId ?? appAccountToken;
  if (user !== null) holders.push(...spellingsOf(user).map(toHolder.user));
  if (anonymousId !== null) holders.push(toHolder.anonymous(anonymousId));
  const tokens = [appAccountToken, toAccountToken(userId)].filter((token) => token !== null);
  holders.push(...tokens.map(toHolder.token));
  const byPerson =
    anonymousId === null
      ? chainsOfUser(db, scope, { userId: user, holders })
      : chainsOfAnonymous(db, scope, { userId, appAccountToken, anonymousId, holders });
  const rows = await Promise.all([
    holders.length > 0 ? byPerson : [],
    chainId === null ? [] : chainsOfTransaction(db, scope, chainId),
  ]);
  return rows.flat();
}

export async function selectHeldChains(db: Db, scope: AppScope, ids: PersonIds): Promise<Chain[]> {
  const chains = new Map<string, Chain>();
  for (const row of await selectRows(db, scope, ids)) {
    if (!isHolder(row, ids)) continue;
    const { store, environment } = row;
    const digest = parseDigest(row.digest);
    const checkedAtMs = row.checkedAt.getTime();
    const chain = { store, environment, digest, checkedAtMs };
    chains.set(`${environment} ${digest.chainId}`, chain);
  }
  return [...chains.values()];
}
