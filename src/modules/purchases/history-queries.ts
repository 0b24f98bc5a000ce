import type { Environment } from '../../providers/store-server/port.ts';
import type { Db } from '../../storage/postgres.ts';
import type { ChainKey } from './facts-queries.ts';

type Scope = { orgId: string; appId: string };

/**
 * Apps with histories to read now, of organizations with a working key. After five attempts
 * that the store refused, a history is left alone.
 */
export async function selectDueHistories(
  db: Db,
  options: { now: Date; limit: number },
): Promise<Scope[]> {
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

export type WantedHistory = {
  key: ChainKey;
  /** Where an earlier attempt stopped. */
  revision: string | null;
  tries: number;
};

/** One that is begun comes before one that is not. */
export async function selectWantedHistory(
  db: Db,
  scope: Scope,
  now: Date,
): Promise<WantedHistory | null> {
  const [row] = await db<
    {
      environment: Environment;
      original_transaction_id: string;
      history_revision: string | null;
      history_tries: number;
    }[]
  >`
    SELECT environment, original_transaction_id, history_revision, history_tries
    FROM purchase_chains
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND history_read_at IS NULL
      AND history_tries < 5 AND (history_next_at IS NULL OR history_next_at <= ${now})
    ORDER BY history_revision IS NULL, history_tries, original_transaction_id LIMIT 1`;
  if (!row) return null;
  const { environment, original_transaction_id: originalTransactionId } = row;
  return {
    key: { ...scope, environment, originalTransactionId },
    revision: row.history_revision,
    tries: row.history_tries,
  };
}

/** `revision`: where the next page starts; null: all of it was read. */
export async function noteHistoryPage(
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

/** Another attempt begins anew: what made this one fail may be the place that it stopped at. */
export async function noteHistoryFailure(
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

/** A key that was connected anew may be refused less. */
export async function retryHistories(db: Db, orgId: string): Promise<void> {
  await db`
    UPDATE purchase_chains SET history_tries = 0, history_next_at = NULL
    WHERE org_id = ${orgId} AND history_read_at IS NULL AND history_tries > 0`;
}
