import type { AppScope } from '../../shared/app.ts';
import type { StoreEnvironment } from '../../shared/environment.ts';
import type { Db } from '../../storage/postgres.ts';

export type RecoveryKey = AppScope & { environment: StoreEnvironment };

/** The end of the last window read, or null before the first. */
export async function selectRecoveredThrough(db: Db, key: RecoveryKey): Promise<Date | null> {
  const [row] = await db<{ recovered_through: Date | null }[]>`
    SELECT recovered_through FROM purchase_recoveries
    WHERE org_id = ${key.orgId} AND app_id = ${key.appId} AND environment = ${key.environment}`;
  return row?.recovered_through ?? null;
}

export type RecoveryRecord = { startedAt: Date; through: Date | null; error: string | null };

export async function recordRecovery(
  db: Db,
  key: RecoveryKey,
  record: RecoveryRecord,
): Promise<void> {
  await db`
    INSERT INTO purchase_recoveries (app_id, org_id, environment, recovered_through, started_at,
      last_error)
    VALUES (${key.appId}, ${key.orgId}, ${key.environment}, ${record.through}, ${record.startedAt},
      ${record.error})
    ON CONFLICT (app_id, environment) DO UPDATE SET
      recovered_through = coalesce(excluded.recovered_through,
        purchase_recoveries.recovered_through),
      started_at = excluded.started_at, last_error = excluded.last_error`;
}

/** Apps of organizations with a valid key whose history was not read since `before`. */
export async function selectDueRecoveries(
  db: Db,
  options: { before: Date; limit: number },
): Promise<AppScope[]> {
  const rows = await db<{ org_id: string; app_id: string }[]>`
    SELECT a.org_id, a.app_id FROM apps a
    JOIN purchase_connections c ON c.org_id = a.org_id AND c.status = 'connected'
    WHERE a.deleted_at IS NULL AND a.bundle_id IS NOT NULL
      AND NOT EXISTS (
        SELECT FROM purchase_recoveries r
        WHERE r.app_id = a.app_id AND r.started_at > ${options.before})
    ORDER BY a.app_id LIMIT ${options.limit}`;
  return rows.map((row) => ({ orgId: row.org_id, appId: row.app_id }));
}
