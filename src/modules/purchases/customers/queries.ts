import { spellingsOf } from '../../../shared/account-token.ts';
import type { AppScope } from '../../../shared/app.ts';
import type { StoreEnvironment } from '../../../shared/environment.ts';
import { STORE_ENVIRONMENTS } from '../../../shared/environment.ts';
import { toIso, toIsoOrNull } from '../../../shared/time.ts';
import type { Db } from '../../../storage/postgres.ts';
import type { Chain } from '../entitlement/rules.ts';
import { refundTime } from '../ledger/period.ts';
import * as facts from '../ledger/facts-queries.ts';
import type { ChainKey } from '../model/chain.ts';
import { parseDigest } from '../model/stored.ts';
import { spelled } from '../ownership/links-queries.ts';
import type { CustomerTransaction, RenewalChange } from './model.ts';

const MAX_HISTORY = 100;
export const MAX_PURCHASES = 50;

export type ListedChain = { key: ChainKey; userId: string | null; chain: Chain; checkedAt: Date };

type ListedRow = Pick<ChainKey, 'store' | 'environment' | 'chainId'> & {
  digest: unknown;
  checkedAt: Date;
  userId: string | null;
};

/** `users` has no order: the first by name is shown. */
const listed = (db: Db, { orgId, appId }: AppScope) => db`
  SELECT store, environment, original_transaction_id AS "chainId", digest,
    checked_at AS "checkedAt", (SELECT min(one) FROM unnest(users) AS one) AS "userId"
  FROM purchase_chains c
  WHERE c.org_id = ${orgId} AND c.app_id = ${appId} AND c.digest IS NOT NULL`;

const toListed = (scope: AppScope, row: ListedRow): ListedChain => {
  const { store, environment, chainId, userId, checkedAt } = row;
  const named = { store, environment };
  return {
    key: { ...named, ...scope, chainId },
    userId,
    checkedAt,
    chain: { ...named, digest: parseDigest(row.digest), checkedAtMs: checkedAt.getTime() },
  };
};

export type ChainPage = { environment: StoreEnvironment; after: string | null; limit: number };

/** The store's ids ascend: newest first. */
export async function selectChains(
  db: Db,
  scope: AppScope,
  { environment, after, limit }: ChainPage,
): Promise<ListedChain[]> {
  const rows = await db<ListedRow[]>`
    ${listed(db, scope)} AND environment = ${environment}
      AND (${after}::text IS NULL OR original_transaction_id < ${after})
    ORDER BY original_transaction_id DESC LIMIT ${limit}`;
  return rows.map((row) => toListed(scope, row));
}

export async function searchChains(
  db: Db,
  scope: AppScope,
  search: string,
): Promise<ListedChain[]> {
  const { orgId, appId } = scope;
  const spellings = spellingsOf(search);
  const users = spellings.map((one) => `u:${one}`);
  const holders = [...users, `a:${search}`, `t:${search.toLowerCase()}`];
  const people = db`event_people p WHERE p.org_id = ${orgId} AND p.app_id = ${appId}`;
  const rows = await db<ListedRow[]>`
    WITH person AS MATERIALIZED (
      SELECT p.user_id, p.anonymous_id FROM ${people} AND p.user_id = ANY(${spellings}
        || ARRAY(SELECT unnest(${spelled(db, db`p.user_id`)}) FROM ${people} AND p.anonymous_id = ${search})))
    ${listed(db, scope)} AND (environment, original_transaction_id) IN (
      SELECT environment, original_transaction_id FROM purchase_links
      WHERE org_id = ${orgId} AND app_id = ${appId} AND holder = ANY(${holders})
      UNION SELECT l.environment, l.original_transaction_id FROM person p
      CROSS JOIN unnest(${spelled(db, db`p.user_id`)}) AS said(id)
      JOIN purchase_links l ON l.org_id = ${orgId} AND l.app_id = ${appId}
        AND l.holder IN ('u:' || said.id, 't:' || lower(p.user_id), 'a:' || p.anonymous_id)
      UNION SELECT environment, original_transaction_id FROM purchase_transactions
      WHERE org_id = ${orgId} AND app_id = ${appId}
        AND environment = ANY (${[...STORE_ENVIRONMENTS]}) AND ${facts.isTransaction(db, search)}
      UNION SELECT environment, original_transaction_id FROM purchase_chains
      WHERE org_id = ${orgId} AND app_id = ${appId}
        AND environment = ANY (${[...STORE_ENVIRONMENTS]}) AND original_transaction_id = ${search}
      UNION SELECT environment, chain_id FROM play_purchases
      WHERE org_id = ${orgId} AND app_id = ${appId} AND pending_order_id = ${search})
    ORDER BY original_transaction_id DESC, environment DESC LIMIT ${MAX_PURCHASES}`;
  return rows.map((row) => toListed(scope, row));
}

const dateOrNull = (ms: number | null) => toIsoOrNull(ms === null ? null : new Date(ms));

/** People with purchases or grants, their own or of their devices. */
export async function selectWithPurchases(
  db: Db,
  { orgId, appId }: AppScope,
  people: readonly { personId: string; spellings: readonly string[] }[],
): Promise<string[]> {
  const spelt = people.flatMap(({ personId, spellings }) =>
    spellings.map((one) => [personId, one] as const),
  );
  const rows = await db<{ id: string }[]>`
    WITH asked AS MATERIALIZED (
      SELECT * FROM unnest(${spelt.map(([id]) => id)}::text[], ${spelt.map(([, one]) => one)}::text[]) AS a(id, spelling)),
    devices AS MATERIALIZED (
      SELECT a.id, p.anonymous_id AS device FROM asked a JOIN event_people p
        ON p.org_id = ${orgId} AND p.app_id = ${appId} AND p.user_id = a.spelling)
    SELECT DISTINCT id FROM (
      SELECT id, unnest(ARRAY['u:' || spelling, 'a:' || spelling, 't:' || lower(spelling)]) AS holder,
        spelling AS named FROM asked
      UNION ALL SELECT id, 'a:' || device, device FROM devices) AS said
    WHERE EXISTS (SELECT FROM purchase_links l
        WHERE l.org_id = ${orgId} AND l.app_id = ${appId} AND l.holder = said.holder)
      OR EXISTS (SELECT FROM purchase_grants g
        WHERE g.org_id = ${orgId} AND g.app_id = ${appId} AND g.user_id = said.named)`;
  return rows.map(({ id }) => id);
}

export const toCustomerTransaction = ({
  snapshot,
  ...details
}: facts.TransactionRow): CustomerTransaction => ({
  transactionId: snapshot.transactionId,
  productId: snapshot.productId,
  purchasedAt: toIso(new Date(snapshot.purchasedAt)),
  ...(snapshot.startsAt !== undefined && { startsAt: toIso(new Date(snapshot.startsAt)) }),
  expiresAt: dateOrNull(snapshot.expiresAt),
  revokedAt: dateOrNull(snapshot.revokedAt),
  refundedAt: dateOrNull(refundTime(snapshot)),
  isAddOn: snapshot.isAddOn ?? false,
  upgraded: snapshot.upgraded,
  freeTrial: snapshot.freeTrial,
  ownership: snapshot.ownership,
  ...details,
});

export async function selectCustomerTransactions(
  db: Db,
  key: ChainKey,
): Promise<CustomerTransaction[]> {
  const rows = await facts.selectTransactionRows(db, key, MAX_HISTORY);
  return rows.map(toCustomerTransaction);
}

type RenewalRow = Omit<RenewalChange, 'at' | 'graceExpiresAt'> & {
  signedMs: number;
  graceExpiresMs: number | null;
};

export async function selectRenewalChanges(db: Db, key: ChainKey): Promise<RenewalChange[]> {
  const rows = await db<RenewalRow[]>`
    SELECT signed_ms AS "signedMs", will_renew AS "willRenew",
      auto_renew_product_id AS "renewsTo", in_billing_retry AS "inBillingRetry",
      grace_expires_ms AS "graceExpiresMs", expiration_intent AS "expirationIntent"
    FROM (
      SELECT *, lag(content_hash) OVER (ORDER BY signed_ms) AS hash_before
      FROM purchase_renewals WHERE ${facts.isChain(db, key)}
    ) said
    WHERE content_hash IS DISTINCT FROM hash_before
    ORDER BY signed_ms DESC LIMIT ${MAX_HISTORY}`;
  return rows.map(({ signedMs, graceExpiresMs, ...row }) => ({
    at: toIso(new Date(signedMs)),
    ...row,
    graceExpiresAt: dateOrNull(graceExpiresMs),
  }));
}

export const selectHolders = (db: Db, key: ChainKey) => db<
  { kind: 'user' | 'anonymous' | 'token'; id: string }[]
>`
  SELECT kind, person_id AS id FROM purchase_links WHERE ${facts.isChain(db, key)}
  ORDER BY linked_at, kind, person_id LIMIT ${MAX_HISTORY}`;
