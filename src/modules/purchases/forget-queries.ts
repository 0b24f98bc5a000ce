import type { AppScope } from '../../shared/app.ts';
import type { StoreEnvironment } from '../../shared/environment.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import type { NotificationKey } from './notifications-queries.ts';

type KeyRow = { environment: StoreEnvironment; notification_id: string };

const toKeys = (rows: readonly KeyRow[]): NotificationKey[] =>
  rows.map((row) => ({ environment: row.environment, notificationId: row.notification_id }));

/** Deletes deliveries past the retention of their app. Returns the notifications they were of. */
export async function deleteExpired(
  tx: Tx,
  options: { now: Date; limit: number },
): Promise<NotificationKey[]> {
  const rows = await tx<KeyRow[]>`
    DELETE FROM purchase_notification_apps d USING (
      SELECT e.environment, e.notification_id, e.app_id
      FROM app_datasets s CROSS JOIN LATERAL (
        SELECT environment, notification_id, app_id FROM purchase_notification_apps
        WHERE app_id = s.app_id AND received_at <
          ${options.now}::timestamptz - make_interval(days => s.notification_retention_days)
        LIMIT ${options.limit}
      ) e
      WHERE s.notification_retention_days IS NOT NULL LIMIT ${options.limit}
    ) old
    WHERE d.environment = old.environment AND d.notification_id = old.notification_id
      AND d.app_id = old.app_id
    RETURNING d.environment, d.notification_id`;
  return toKeys(rows);
}

export async function deleteOfApp(
  tx: Tx,
  scope: AppScope & { limit: number },
): Promise<NotificationKey[]> {
  const rows = await tx<KeyRow[]>`
    DELETE FROM purchase_notification_apps WHERE (environment, notification_id, app_id) IN (
      SELECT environment, notification_id, app_id FROM purchase_notification_apps
      WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} LIMIT ${scope.limit})
    RETURNING environment, notification_id`;
  return toKeys(rows);
}

/** Deletes those of these raw notifications that no app has any more. */
export async function deleteOrphaned(tx: Tx, keys: readonly NotificationKey[]): Promise<void> {
  await tx`
    DELETE FROM purchase_notifications n
    USING unnest(${keys.map((key) => key.environment)}::text[],
      ${keys.map((key) => key.notificationId)}::text[]) AS gone(environment, notification_id)
    WHERE n.environment = gone.environment AND n.notification_id = gone.notification_id
      AND n.applied_at IS NOT NULL
      AND NOT EXISTS (
        SELECT FROM purchase_notification_apps d
        WHERE d.environment = n.environment AND d.notification_id = n.notification_id)`;
}

/** Deletes chains with their transactions, links and audit rows. Returns how many. */
export async function deleteChains(db: Db, scope: AppScope & { limit: number }): Promise<number> {
  const rows = await db`
    DELETE FROM purchase_chains WHERE (app_id, environment, original_transaction_id) IN (
      SELECT app_id, environment, original_transaction_id FROM purchase_chains
      WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} LIMIT ${scope.limit})
    RETURNING 1`;
  return rows.length;
}
