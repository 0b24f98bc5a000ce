import type { AppScope } from '../../shared/app.ts';
import type { StoreEnvironment } from '../../shared/environment.ts';
import type { Db } from '../../storage/postgres.ts';
import type { ChainKey } from './facts-queries.ts';

/**
 * Apps of organizations with a valid key that have histories due. A history is abandoned after five
 * refused attempts.
 */
export async function selectDueHistories(
  db: Db,
  options: { now: Date; limit: number },
): Promise<AppScope[]> {
  const rows = await db<{ org_id: string; app_id: string }[]>`
    SELECT a.org_id, a.app_id FROM apps a
    JOIN purchase_connections c ON c.org_id = a.org_id AND c.status = 'connected'
    WHERE a.deleted_at IS NULL AND a.bundle_id IS NOT NULL
      AND EXISTS (
        SELECT FROM purchase_chains p
        WHERE p.app_id = a.app_id AND p.history_read_at IS NULL AND p.history_tries < 5
          AND (p.history_next_at IS NULL OR p.history_next_at <= ${options.now}))
    ORDER BY a.app_id LIMIT ${options.limit}`;
  return rows.map((row) => ({ orgId: row.org_id, appId: row.app_id }));
}

export type DueHistory = {
  key: ChainKey;
  /** Where an earlier attempt stopped. */
  revision: string | null;
};

/** The next due history of an app, started ones first. */
export async function selectDueHistory(
  db: Db,
  scope: AppScope,
  now: Date,
): Promise<DueHistory | null> {
  const [row] = await db<
    {
      environment: StoreEnvironment;
      original_transaction_id: string;
      history_revision: string | null;
    }[]
  >`
    SELECT environment, original_transaction_id, history_revision
    FROM purchase_chains
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND history_read_at IS NULL
      AND history_tries < 5 AND (history_next_at IS NULL OR history_next_at <= ${now})
    ORDER BY history_revision IS NULL, history_tries, original_transaction_id LIMIT 1`;
  if (!row) return null;
  const { environment, original_transaction_id: originalTransactionId } = row;
  return {
    key: { ...scope, environment, originalTransactionId },
    revision: row.history_revision,
  };
}

/** `revision` is where the next page starts, or null at the end. */
export async function recordHistoryPage(
  db: Db,
  key: ChainKey,
  { revision, at }: { revision: string | null; at: Date },
): Promise<void> {
  await db`
    UPDATE purchase_chains SET history_revision = ${revision}, history_error = NULL,
      history_read_at = ${revision === null ? at : null}
    WHERE org_id = ${key.orgId} AND app_id = ${key.appId} AND environment = ${key.environment}
      AND original_transaction_id = ${key.originalTransactionId}`;
}

/** The next attempt starts over: the place it stopped at may be the cause. */
export async function recordHistoryFailure(
  db: Db,
  key: ChainKey,
  failure: { error: string; nextAt: Date },
): Promise<void> {
  await db`
    UPDATE purchase_chains SET history_tries = history_tries + 1, history_revision = NULL,
      history_error = ${failure.error}, history_next_at = ${failure.nextAt}
    WHERE org_id = ${key.orgId} AND app_id = ${key.appId} AND environment = ${key.environment}
      AND original_transaction_id = ${key.originalTransactionId}`;
}

/** Retries abandoned histories with a newly connected key. */
export async function retryHistories(db: Db, orgId: string): Promise<void> {
  await db`
    UPDATE purchase_chains SET history_tries = 0, history_next_at = NULL
    WHERE org_id = ${orgId} AND history_read_at IS NULL AND history_tries > 0`;
}
