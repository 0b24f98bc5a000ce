import type { AppScope } from '../../shared/app.ts';
import { at } from '../../shared/assert.ts';
import type { StoreEnvironment } from '../../shared/environment.ts';
import type { Db } from '../../storage/postgres.ts';
import type { NotificationKey } from './notifications-queries.ts';

export type Unread = NotificationKey & {
  payload: string;
  receivedAt: Date;
  apps: AppScope[];
};

type UnreadRow = {
  environment: StoreEnvironment;
  notification_id: string;
  payload: string;
  received_at: Date;
  org_ids: string[];
  app_ids: string[];
};

/** Notifications applied by a release that did not save their signed texts, with their apps; oldest first. */
export async function selectUnread(db: Db, limit: number): Promise<Unread[]> {
  const rows = await db<UnreadRow[]>`
    SELECT n.environment, n.notification_id, n.payload, n.received_at,
      coalesce(held.org_ids, '{}') AS org_ids, coalesce(held.app_ids, '{}') AS app_ids
    FROM purchase_notifications n LEFT JOIN LATERAL (
      SELECT array_agg(d.org_id ORDER BY d.app_id) AS org_ids,
        array_agg(d.app_id ORDER BY d.app_id) AS app_ids
      FROM purchase_notification_apps d JOIN apps a ON a.app_id = d.app_id
      WHERE d.environment = n.environment AND d.notification_id = n.notification_id
        AND a.deleted_at IS NULL
    ) held ON true
    WHERE n.signed_kept_at IS NULL AND n.applied_at IS NOT NULL
    ORDER BY n.received_at LIMIT ${limit}`;
  return rows.map((row) => ({
    environment: row.environment,
    notificationId: row.notification_id,
    payload: row.payload,
    receivedAt: row.received_at,
    apps: row.app_ids.map((appId, index) => ({ orgId: at(row.org_ids, index), appId })),
  }));
}

export async function markRead(db: Db, keys: readonly NotificationKey[], now: Date): Promise<void> {
  await db`
    UPDATE purchase_notifications n SET signed_kept_at = ${now}
    FROM unnest(${keys.map((key) => key.environment)}::text[],
      ${keys.map((key) => key.notificationId)}::text[]) AS read(environment, notification_id)
    WHERE n.environment = read.environment AND n.notification_id = read.notification_id`;
}
