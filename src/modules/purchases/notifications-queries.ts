import type { Environment, Notification } from '../../providers/store-server/port.ts';
import type { Db, Tx } from '../../storage/postgres.ts';

export type NotificationKey = { environment: Environment; notificationId: string };

/** Apps of every organization that a notification is about. */
export type ConcernedApp = {
  orgId: string;
  appId: string;
  /** Its owner wants the raw notifications. */
  forwards: boolean;
};

/**
 * Every app with the bundle id; in production the store's id of the app must be the same too. This
 * is the one query that crosses organizations: the store knows apps, not our customers.
 */
export async function selectConcernedApps(
  db: Db,
  about: Pick<Notification, 'environment' | 'bundleId' | 'appAppleId'>,
): Promise<ConcernedApp[]> {
  const rows = await db<{ org_id: string; app_id: string; forwards: boolean }[]>`
    SELECT a.org_id, a.app_id, s.forward_url IS NOT NULL AS forwards
    FROM apps a LEFT JOIN purchase_settings s ON s.app_id = a.app_id
    WHERE a.bundle_id = ${about.bundleId} AND a.deleted_at IS NULL
      AND (${about.environment} <> 'Production' OR a.store_app_id IS NULL
        OR a.store_app_id = ${about.appAppleId})
    ORDER BY a.app_id LIMIT 1000`;
  return rows.map((row) => ({ orgId: row.org_id, appId: row.app_id, forwards: row.forwards }));
}

export type Taken = { apps: ConcernedApp[]; isNew: boolean };

/**
 * Stores a notification that some app is concerned by, in one statement. `isNew` is false for one
 * that is there already: the store sends again what it is not sure of.
 */
export async function insertNotification(
  db: Db,
  notification: Notification,
  stored: { payload: string; receivedAt: Date },
): Promise<Taken> {
  const rows = await db<{ org_id: string; app_id: string; is_new: boolean }[]>`
    WITH concerned AS (
      SELECT org_id, app_id FROM apps
      WHERE bundle_id = ${notification.bundleId} AND deleted_at IS NULL
        AND (${notification.environment} <> 'Production' OR store_app_id IS NULL
          OR store_app_id = ${notification.appAppleId})
      ORDER BY app_id LIMIT 1000
    ), made AS (
      INSERT INTO purchase_notifications (environment, notification_id, bundle_id, store_app_id,
        type, subtype, signed_at, payload, received_at)
      SELECT ${notification.environment}, ${notification.notificationId},
        ${notification.bundleId}, ${notification.appAppleId}, ${notification.type},
        ${notification.subtype}, ${new Date(notification.signedAt)}, ${stored.payload},
        ${stored.receivedAt}
      WHERE EXISTS (SELECT FROM concerned)
      ON CONFLICT DO NOTHING RETURNING 1
    )
    SELECT org_id, app_id, EXISTS (SELECT FROM made) AS is_new FROM concerned`;
  return {
    apps: rows.map((row) => ({ orgId: row.org_id, appId: row.app_id, forwards: false })),
    isNew: rows.some((row) => row.is_new),
  };
}

/** An app that came after the notification takes it in too: it is waiting once more. */
export async function reopenForNewApps(db: Db, notification: Notification): Promise<boolean> {
  const rows = await db`
    UPDATE purchase_notifications n SET applied_at = NULL
    WHERE n.environment = ${notification.environment}
      AND n.notification_id = ${notification.notificationId} AND n.applied_at IS NOT NULL
      AND EXISTS (
        SELECT FROM apps a
        WHERE a.bundle_id = n.bundle_id AND a.deleted_at IS NULL
          AND (n.environment <> 'Production' OR a.store_app_id IS NULL
            OR a.store_app_id = n.store_app_id)
          AND NOT EXISTS (
            SELECT FROM purchase_notification_apps d
            WHERE d.environment = n.environment AND d.notification_id = n.notification_id
              AND d.app_id = a.app_id))
    RETURNING 1`;
  return rows.length > 0;
}

/** The highest limit that an operator raised for an app of this bundle id, or null. */
export async function selectRaisedLimit(db: Db, bundleId: string): Promise<number | null> {
  const [row] = await db<{ points: number | null }[]>`
    SELECT max(l.points) AS points FROM apps a JOIN app_limits l ON l.app_id = a.app_id
    WHERE a.bundle_id = ${bundleId} AND a.deleted_at IS NULL AND l.name = 'notificationsOfApp'`;
  return row?.points ?? null;
}

export type StoredNotification = { payload: string; receivedAt: Date; applied: boolean };

export async function selectNotification(
  db: Db,
  key: NotificationKey,
): Promise<StoredNotification | null> {
  const [row] = await db<{ payload: string; received_at: Date; applied: boolean }[]>`
    SELECT payload, received_at, applied_at IS NOT NULL AS applied FROM purchase_notifications
    WHERE environment = ${key.environment} AND notification_id = ${key.notificationId}`;
  return row ? { payload: row.payload, receivedAt: row.received_at, applied: row.applied } : null;
}

type Applied = NotificationKey & ConcernedApp & { type: string; receivedAt: Date; at: Date };

/**
 * The commit of this transaction need not wait for the disk: what a crash of the database takes
 * back is waiting again, and is applied again.
 */
export async function relaxCommit(tx: Tx): Promise<void> {
  await tx`SET LOCAL synchronous_commit TO off`;
}

/** Gives false where the notification was applied to the app before. */
export async function insertApplied(tx: Tx, applied: Applied): Promise<boolean> {
  const rows = await tx`
    INSERT INTO purchase_notification_apps (environment, notification_id, app_id, org_id, type,
      received_at, applied_at)
    VALUES (${applied.environment}, ${applied.notificationId}, ${applied.appId}, ${applied.orgId},
      ${applied.type}, ${applied.receivedAt}, ${applied.at})
    ON CONFLICT DO NOTHING RETURNING 1`;
  return rows.length > 0;
}

export async function markApplied(
  db: Db,
  key: NotificationKey,
  result: { at: Date; error: string | null },
): Promise<void> {
  await db`
    UPDATE purchase_notifications SET applied_at = ${result.at}, signed_kept_at = ${result.at},
      last_error = ${result.error}
    WHERE environment = ${key.environment} AND notification_id = ${key.notificationId}`;
}

export type Waiting = NotificationKey & {
  scope: { orgId: string; appId?: string };
  /** As exact as PostgreSQL is. */
  receivedAt: string;
};

/**
 * Notifications that were stored before `before` and are not applied, each with one of the apps that
 * it is about, for the operator who looks at its run. Oldest first, those after `after`.
 */
export async function selectWaiting(
  db: Db,
  { before, after, limit }: { before: Date; after: Waiting | null; limit: number },
): Promise<Waiting[]> {
  const rows = await db<
    {
      environment: Environment;
      notification_id: string;
      org_id: string | null;
      app_id: string | null;
      received_at: string;
    }[]
  >`
    SELECT n.environment, n.notification_id, a.org_id, a.app_id, n.received_at::text
    FROM purchase_notifications n
    LEFT JOIN LATERAL (
      SELECT org_id, app_id FROM apps
      WHERE bundle_id = n.bundle_id AND deleted_at IS NULL ORDER BY app_id LIMIT 1
    ) a ON true
    WHERE n.applied_at IS NULL AND n.received_at < ${before}
      AND (n.received_at, n.environment, n.notification_id) >
        (${after?.receivedAt ?? '-infinity'}::text::timestamptz, ${after?.environment ?? ''},
          ${after?.notificationId ?? ''})
    ORDER BY n.received_at, n.environment, n.notification_id LIMIT ${limit}`;
  return rows.map((row) => ({
    environment: row.environment,
    notificationId: row.notification_id,
    receivedAt: row.received_at,
    scope:
      row.org_id === null || row.app_id === null
        ? { orgId: 'none' }
        : { orgId: row.org_id, appId: row.app_id },
  }));
}

export type LastSeen = { lastAt: Date | null; lastTestAt: Date | null };

export async function selectLastSeen(
  db: Db,
  scope: { orgId: string; appId: string; environment: Environment },
): Promise<LastSeen> {
  const [row] = await db<{ last_at: Date | null; last_test_at: Date | null }[]>`
    SELECT max(received_at) AS last_at,
      max(received_at) FILTER (WHERE type = 'TEST') AS last_test_at
    FROM purchase_notification_apps
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND environment = ${scope.environment}`;
  return { lastAt: row?.last_at ?? null, lastTestAt: row?.last_test_at ?? null };
}
