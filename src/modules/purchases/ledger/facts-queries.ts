import { selectErased } from '../../../event-store/people.ts';
import { spellingsOf } from '../../../shared/account-token.ts';
import { must, onlyRow } from '../../../shared/assert.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import type { Renewal, Transaction } from '../../../shared/purchase.ts';
import type { Store } from '../../../shared/stores.ts';
import { type Db, type Tx, done, singleRow } from '../../../storage/postgres.ts';
import type { ChainKey, StatusAsOf } from '../model/chain.ts';
import * as stored from '../model/stored.ts';
import type { ChainBefore } from './changes.ts';

export const isChain = (db: Db, key: ChainKey) => db`
  org_id = ${key.orgId} AND app_id = ${key.appId} AND environment = ${key.environment}
  AND original_transaction_id = ${key.chainId}`;

const PLAY_ORDER = /^GPA\./;

/** Also the order of several lines. */
export const isTransaction = (db: Db, id: string) => db`
  (transaction_id = ${id}
    OR ${PLAY_ORDER.test(id)}::boolean AND starts_with(transaction_id, ${`${id}/`}))`;

type ChainRow = {
  renewal: unknown;
  status: number | null;
  status_as_of_ms: number | null;
  status_transaction_id: string | null;
};

function toStatus(row: ChainRow): StatusAsOf | null {
  const status = stored.parseStatus(row.status);
  if (status === null) return null;
  const asOf = must(row.status_as_of_ms, 'a status has a time');
  return { status, asOf, transactionId: row.status_transaction_id };
}

export type ChainUpdate = {
  renewal: Renewal | null;
  status: StatusAsOf | null;
  appAccountToken: string | null;
  checkedAt: Date;
};

export type StoredChain = { renewal: Renewal | null; status: StatusAsOf | null };

const renewalRank = (db: Db, row: 'excluded' | 'known') => db`(
  coalesce(${db(row)}.renewal_signed_ms, 0),
  coalesce((${db(row)}.renewal->>'willRenew')::boolean, false),
  coalesce((${db(row)}.renewal->>'inBillingRetry')::boolean, false),
  coalesce((${db(row)}.renewal->>'graceExpiresAt')::bigint, 0),
  coalesce((${db(row)}.renewal->>'renewsAt')::bigint, 0))`;

const statusRank = (db: Db, row: 'excluded' | 'known') => db`(
  coalesce(${db(row)}.status_as_of_ms, 0), coalesce(${db(row)}.status, 0),
  coalesce(${db(row)}.status_transaction_id, ''))`;

/** Locks the row. Older data never overwrites newer; ties resolve the same in any order. */
export async function upsertChain(
  tx: Tx,
  key: ChainKey,
  update: ChainUpdate,
): Promise<StoredChain> {
  const { renewal, status } = update;
  const newerRenewal = tx`${renewalRank(tx, 'excluded')} > ${renewalRank(tx, 'known')}`;
  const newerStatus = tx`${statusRank(tx, 'excluded')} > ${statusRank(tx, 'known')}`;
  const rows = await tx<ChainRow[]>`
    INSERT INTO purchase_chains AS known (app_id, org_id, store, environment,
      original_transaction_id, renewal, renewal_signed_ms, status, status_as_of_ms, status_transaction_id,
      app_account_token, checked_at)
    VALUES (${key.appId}, ${key.orgId}, ${key.store}, ${key.environment}, ${key.chainId},
      ${stored.storedRenewal(renewal)}::text::jsonb, ${renewal?.signedAt ?? null}, ${status && stored.statusCode(status.status)},
      ${status?.asOf ?? null}, ${status?.transactionId ?? null}, ${update.appAccountToken},
      ${update.checkedAt})
    ON CONFLICT (app_id, environment, original_transaction_id) DO UPDATE SET
      renewal = CASE WHEN ${newerRenewal} THEN excluded.renewal ELSE known.renewal END,
      renewal_signed_ms = greatest(excluded.renewal_signed_ms, known.renewal_signed_ms),
      status = CASE WHEN ${newerStatus} THEN excluded.status ELSE known.status END,
      status_transaction_id = CASE WHEN ${newerStatus}
        THEN excluded.status_transaction_id ELSE known.status_transaction_id END,
      status_as_of_ms = greatest(excluded.status_as_of_ms, known.status_as_of_ms),
      app_account_token = coalesce(known.app_account_token, excluded.app_account_token),
      checked_at = greatest(known.checked_at, excluded.checked_at)
    RETURNING renewal, status, status_as_of_ms, status_transaction_id`;
  const row = onlyRow(rows);
  return { renewal: stored.parseRenewal(row.renewal), status: toStatus(row) };
}

/** Locks the chain. */
export async function selectBefore(
  tx: Tx,
  key: ChainKey,
  transactionId: string | null,
): Promise<ChainBefore> {
  const [row] = await tx<(ChainRow & { transaction: unknown })[]>`
    SELECT c.renewal, c.status, c.status_as_of_ms, c.status_transaction_id, (
      SELECT t.snapshot FROM purchase_transactions t
      WHERE t.org_id = c.org_id AND t.app_id = c.app_id AND t.environment = c.environment
        AND t.transaction_id = ${transactionId}) AS transaction
    FROM purchase_chains c WHERE ${isChain(tx, key)} FOR UPDATE`;
  if (!row) return { transaction: null, renewal: null, status: null };
  return {
    transaction: row.transaction === null ? null : stored.parseTransaction(row.transaction),
    renewal: stored.parseRenewal(row.renewal),
    status: toStatus(row),
  };
}

/** As `upsertChain`. Keeps the earliest signed expiry. */
export async function upsertTransaction(
  tx: Tx,
  key: ChainKey,
  snapshot: Transaction,
): Promise<void> {
  const isNewer = tx`
    (excluded.signed_ms, excluded.snapshot::text) > (known.signed_ms, known.snapshot::text)`;
  const firstEnd = tx`coalesce(known.first_expires_ms, (known.snapshot->>'expiresAt')::bigint)`;
  await tx`
    INSERT INTO purchase_transactions AS known (app_id, org_id, environment, transaction_id,
      original_transaction_id, snapshot, signed_ms, first_expires_ms)
    VALUES (${key.appId}, ${key.orgId}, ${key.environment}, ${snapshot.transactionId},
      ${key.chainId}, ${stored.storedTransaction(snapshot)}::text::jsonb, ${snapshot.signedAt},
      ${snapshot.expiresAt})
    ON CONFLICT (app_id, environment, transaction_id) DO UPDATE
      SET snapshot = CASE WHEN ${isNewer} THEN excluded.snapshot ELSE known.snapshot END,
        signed_ms = greatest(excluded.signed_ms, known.signed_ms),
        fields_signed_ms = CASE WHEN NOT ${isNewer} OR excluded.signed_ms > known.signed_ms
          THEN known.fields_signed_ms END,
        first_expires_ms = least(${firstEnd}, excluded.first_expires_ms)
      WHERE ${isNewer} OR excluded.first_expires_ms < ${firstEnd}`;
}

/** Null of an erased person; asked behind the chain's lock. */
export const keptAccount = async (tx: Tx, key: ChainKey, token: string | null) =>
  token === null || (await selectErased(tx, key, spellingsOf(token))).size > 0 ? null : token;

export const forgetAccount = (tx: Tx, key: ChainKey, token: string) =>
  done(tx`
    WITH chain AS (UPDATE purchase_chains SET app_account_token = NULL
      WHERE ${isChain(tx, key)} AND app_account_token = ${token})
    UPDATE purchase_transactions SET snapshot = snapshot || '{"appAccountToken": null}'
    WHERE ${isChain(tx, key)} AND snapshot ->> 'appAccountToken' = ${token}`);

const MAX_TRANSACTIONS = 2_000;

export async function selectTransactions(db: Db, key: ChainKey): Promise<Transaction[]> {
  const rows = await db<{ snapshot: unknown }[]>`
    SELECT snapshot FROM purchase_transactions WHERE ${isChain(db, key)}
    ORDER BY signed_ms DESC LIMIT ${MAX_TRANSACTIONS}`;
  return rows.map((row) => stored.parseTransaction(row.snapshot));
}

export type TransactionRow = {
  snapshot: Transaction;
  priceMilliunits: number | null;
  currency: string | null;
  storefront: string | null;
  reason: string | null;
};

export async function selectTransactionRows(
  db: Db,
  key: ChainKey,
  limit: number,
): Promise<TransactionRow[]> {
  const rows = await db<(Omit<TransactionRow, 'snapshot'> & { snapshot: unknown })[]>`
    SELECT snapshot, price_milliunits AS "priceMilliunits", currency, storefront,
      transaction_reason AS reason
    FROM purchase_transactions WHERE ${isChain(db, key)}
    ORDER BY (snapshot->>'purchasedAt')::bigint DESC, transaction_id DESC LIMIT ${limit}`;
  return rows.map((row) => ({ ...row, snapshot: stored.parseTransaction(row.snapshot) }));
}

export type Trial = { startedAt: number; convertedAt: number | null };

/** True when the digest changed. */
export async function saveDigest(
  tx: Tx,
  key: ChainKey,
  {
    digest,
    trial,
    account,
  }: { digest: stored.ChainDigest; trial: Trial | null; account: string | null },
): Promise<boolean> {
  const date = (ms: number | null | undefined) => (ms == null ? null : new Date(ms));
  const rows = await tx<{ changed: boolean }[]>`
    WITH before AS (SELECT digest FROM purchase_chains WHERE ${isChain(tx, key)})
    UPDATE purchase_chains c SET digest = ${stored.storedDigest(digest)}::text::jsonb,
      trial_started_at = ${date(trial?.startedAt)},
      trial_converted_at = ${date(trial?.convertedAt)},
      app_account_token = coalesce(${account}, c.app_account_token)
    FROM before
    WHERE ${isChain(tx, key)}
    RETURNING before.digest IS DISTINCT FROM c.digest AS changed`;
  return onlyRow(rows).changed;
}

export type TrialCounts = { started: number; converted: number };

/** In `[from, to)`. */
export const countTrials = (
  db: Db,
  scope: { orgId: string; appId: string; store: Store; from: Date; to: Date },
) =>
  singleRow(db<TrialCounts[]>`
    SELECT count(*) FILTER (WHERE trial_started_at >= ${scope.from} AND trial_started_at < ${scope.to}) AS started,
      count(*) FILTER (WHERE trial_converted_at >= ${scope.from} AND trial_converted_at < ${scope.to}) AS converted
    FROM purchase_chains
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND environment = ${REAL_PURCHASES}
      AND store = ${scope.store} AND trial_started_at IS NOT NULL`);
