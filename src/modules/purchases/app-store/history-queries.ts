import type { AppScope } from '../../../shared/app.ts';
import type { StoreEnvironment } from '../../../shared/environment.ts';
import { type Db, type Fragment, firstValue, done } from '../../../storage/postgres.ts';
import { isChain } from '../ledger/facts-queries.ts';
import type { ChainKey } from '../model/chain.ts';
import { APP_STORE } from './connection/model.ts';

const selectAskableApps = (db: Db, isDue: Fragment, limit: number) => db<AppScope[]>`
  SELECT a.org_id AS "orgId", a.app_id AS "appId" FROM apps a
  JOIN purchase_connections c ON c.org_id = a.org_id AND c.status = 'connected'
  WHERE a.deleted_at IS NULL AND a.bundle_id IS NOT NULL AND ${isDue}
  ORDER BY a.app_id LIMIT ${limit}`;

/** Five refused attempts at most. */
const isHistoryDue = (db: Db, now: Date) => db`
  store = ${APP_STORE} AND history_read_at IS NULL AND history_tries < 5
  AND (history_next_at IS NULL OR history_next_at <= ${now})`;

export const selectDueHistories = (db: Db, { now, limit }: { now: Date; limit: number }) =>
  selectAskableApps(
    db,
    db`EXISTS (SELECT FROM purchase_chains p WHERE p.app_id = a.app_id AND ${isHistoryDue(db, now)})`,
    limit,
  );

export const selectDueRecoveries = (db: Db, { before, limit }: { before: Date; limit: number }) =>
  selectAskableApps(
    db,
    db`NOT EXISTS (SELECT FROM purchase_recoveries r
      WHERE r.app_id = a.app_id AND r.started_at > ${before})`,
    limit,
  );

export type RecoveryKey = AppScope & { environment: StoreEnvironment };

export const selectRecoveredThrough = (db: Db, key: RecoveryKey) =>
  firstValue(db<{ through: Date | null }[]>`
    SELECT recovered_through AS through FROM purchase_recoveries
    WHERE org_id = ${key.orgId} AND app_id = ${key.appId} AND environment = ${key.environment}`);

export type RecoveryRecord = { startedAt: Date; through: Date | null; error: string | null };

/** For apps of the organization only: the scope comes from a run. */
const recoveryRow = (db: Db, key: RecoveryKey, record: RecoveryRecord) => db`
  INSERT INTO purchase_recoveries (app_id, org_id, environment, recovered_through, started_at,
    last_error)
  SELECT app_id, org_id, ${key.environment}, ${record.through}, ${record.startedAt}, ${record.error}
  FROM apps WHERE org_id = ${key.orgId} AND app_id = ${key.appId}
  ON CONFLICT (app_id, environment) DO UPDATE SET started_at = excluded.started_at`;

export async function recordRecoveryStart(
  db: Db,
  key: RecoveryKey,
  startedAt: Date,
): Promise<void> {
  await recoveryRow(db, key, { startedAt, through: null, error: null });
}

export const recordRecovery = (db: Db, key: RecoveryKey, record: RecoveryRecord) =>
  done(db`${recoveryRow(db, key, record)},
    recovered_through = coalesce(excluded.recovered_through, purchase_recoveries.recovered_through),
    last_error = excluded.last_error`);

export type DueHistory = { key: ChainKey; revision: string | null };

export async function selectDueHistory(
  db: Db,
  scope: AppScope,
  now: Date,
): Promise<DueHistory | null> {
  const [row] = await db<
    (Pick<ChainKey, 'environment' | 'chainId'> & { revision: string | null })[]
  >`
    SELECT environment, original_transaction_id AS "chainId",
      history_revision AS revision
    FROM purchase_chains
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND ${isHistoryDue(db, now)}
    ORDER BY history_revision IS NULL, history_tries, original_transaction_id LIMIT 1`;
  if (!row) return null;
  const { revision, ...chain } = row;
  return { key: { store: APP_STORE, ...scope, ...chain }, revision };
}

/** `revision`: start of the next page, null at the end. */
export const recordHistoryPage = (
  db: Db,
  key: ChainKey,
  { revision, at }: { revision: string | null; at: Date },
) =>
  done(db`
    UPDATE purchase_chains SET history_revision = ${revision}, history_error = NULL,
      history_read_at = ${revision === null ? at : null}
    WHERE ${isChain(db, key)}`);

/** Restarts from the first page: the stored revision may be the cause. */
export const recordHistoryFailure = (
  db: Db,
  key: ChainKey,
  failure: { error: string; nextAt: Date },
) =>
  done(db`
    UPDATE purchase_chains SET history_tries = history_tries + 1, history_revision = NULL,
      history_error = ${failure.error}, history_next_at = ${failure.nextAt}
    WHERE ${isChain(db, key)}`);

export const retryHistories = (db: Db, orgId: string) =>
  done(db`
    UPDATE purchase_chains SET history_tries = 0, history_next_at = NULL
    WHERE org_id = ${orgId} AND history_read_at IS NULL AND history_tries > 0`);
