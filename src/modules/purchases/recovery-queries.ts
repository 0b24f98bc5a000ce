import type { Environment } from '../../providers/store-server/port.ts';
import type { Db } from '../../storage/postgres.ts';

export type RecoveryKey = { orgId: string; appId: string; environment: Environment };

/** Up to when the history was read, or null before the first time. */
export async function selectRecoveredThrough(db: Db, key: RecoveryKey): Promise<Date | null> {
  const [row] = await db<{ recovered_through: Date | null }[]>`
    SELECT recovered_through FROM purchase_recoveries
    WHERE org_id = ${key.orgId} AND app_id = ${key.appId} AND environment = ${key.environment}`;
  return row?.recovered_through ?? null;
}

export type RecoveryNote = { startedAt: Date; through: Date | null; error: string | null };

export async function noteRecovery(db: Db, key: RecoveryKey, note: RecoveryNote): Promise<void> {
  await db`
    INSERT INTO purchase_recoveries (app_id, org_id, environment, recovered_through, started_at,
      last_error)
    VALUES (${key.appId}, ${key.orgId}, ${key.environment}, ${note.through}, ${note.startedAt},
      ${note.error})
    ON CONFLICT (app_id, environment) DO UPDATE SET
      recovered_through = coalesce(excluded.recovered_through,
        purchase_recoveries.recovered_through),
      started_at = excluded.started_at, last_error = excluded.last_error`;
}

export type RecoverableApp = { orgId: string; appId: string };

/** Apps whose history was not read since `before`, of organizations with a working key. */
export async function selectDueRecoveries(
  db: Db,
  options: { before: Date; limit: number },
): Promise<RecoverableApp[]> {
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
