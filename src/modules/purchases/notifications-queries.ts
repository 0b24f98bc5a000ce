import type { Notification } from '../../providers/store-server/port.ts';
import type { AppScope } from '../../shared/app.ts';
import { onlyRow } from '../../shared/assert.ts';
import type { StoreEnvironment } from '../../shared/environment.ts';
import type { Db, Tx } from '../../storage/postgres.ts';

export type NotificationKey = { environment: StoreEnvironment; notificationId: string };

/** An app, of any organization, that a notification is about. */
export type ConcernedApp = AppScope & {
  /** Raw notifications are forwarded to its owner. */
  forwards: boolean;
};

/**
 * Every app with the bundle id and, in production, the store's app id. Crosses organizations on
 * purpose: the store knows apps, not our customers.
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

export type Receipt = { apps: ConcernedApp[]; isNew: boolean };

/**
 * Stores a notification unless no app is concerned, in one statement. `isNew` is false for a
 * duplicate delivery.
 */
export async function insertNotification(
  db: Db,
  notification: Notification,
  stored: { payload: string; receivedAt: Date },
): Promise<Receipt> {
  const rows = await db<{ org_id: string; app_id: string; is_new: boolean }[]>`
    WITH concerned AS (
      SELECT org_id, app_id FROM apps
      WHERE bundle_id = ${notification.bundleId} AND deleted_at IS NULL
        AND (${notification.environment} <> 'Production' OR store_app_id IS NULL
          OR store_app_id = ${notification.appAppleId})
      ORDER BY app_id LIMIT 1000
    ), inserted AS (
      INSERT INTO purchase_notifications (environment, notification_id, bundle_id, store_app_id,
        type, subtype, signed_at, payload, received_at)
      SELECT ${notification.environment}, ${notification.notificationId},
        ${notification.bundleId}, ${notification.appAppleId}, ${notification.type},
        ${notification.subtype}, ${new Date(notification.signedAt)}, ${stored.payload},
        ${stored.receivedAt}
      WHERE EXISTS (SELECT FROM concerned)
      ON CONFLICT DO NOTHING RETURNING 1
    )
    SELECT org_id, app_id, EXISTS (SELECT FROM inserted) AS is_new FROM concerned`;
  return {
    apps: rows.map((row) => ({ orgId: row.org_id, appId: row.app_id, forwards: false })),
    isNew: rows.some((row) => row.is_new),
  };
}

/** Makes an applied notification pending again for apps added since. */
export async function reopenForNewApps(db: Db, notification: Notification): Promise<boolean> {
  const rows = await db`
    UPDATE purchase_notifications n SET applied_at = NULL, run_ensured_at = NULL
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

/** The highest raised limit among apps of this bundle id, or null. */
export async function selectRaisedLimit(db: Db, bundleId: string): Promise<number | null> {
  const rows = await db<{ points: number | null }[]>`
    SELECT max(l.points) AS points FROM apps a JOIN app_limits l ON l.app_id = a.app_id
    WHERE a.bundle_id = ${bundleId} AND a.deleted_at IS NULL AND l.name = 'notificationsOfApp'`;
  return onlyRow(rows).points;
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

/** Lets the commit return before it is on disk: after a crash the notification is applied again. */
export async function relaxCommit(tx: Tx): Promise<void> {
  await tx`SET LOCAL synchronous_commit TO off`;
}

/** False when the notification was applied to the app before. */
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

export type PendingNotification = NotificationKey & {
  scope: { orgId: string; appId?: string };
  /** Text, since a `Date` would lose microseconds. */
  receivedAt: string;
};

/**
 * Notifications stored before `before` and not applied, oldest first, those after `after`; each with
 * one of its apps, which operators see on the run.
 */
export async function selectPendingNotifications(
  db: Db,
  { before, after, limit }: { before: Date; after: PendingNotification | null; limit: number },
): Promise<PendingNotification[]> {
  const rows = await db<PendingRow[]>`
    SELECT n.environment, n.notification_id, a.org_id, a.app_id, n.received_at::text
    FROM purchase_notifications n ${concernedApp(db)}
    WHERE n.applied_at IS NULL AND n.received_at < ${before}
      AND (n.received_at, n.environment, n.notification_id) >
        (${after?.receivedAt ?? '-infinity'}::text::timestamptz, ${after?.environment ?? ''},
          ${after?.notificationId ?? ''})
    ORDER BY n.received_at, n.environment, n.notification_id LIMIT ${limit}`;
  return rows.map(toPending);
}

/**
 * Of those the ones whose run was not ensured yet: the oldest of every bundle id, then the second of
 * each … The index is asked for one bundle id after the other, so a long list is not read.
 */
export async function selectNotificationsWithoutRun(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<PendingNotification[]> {
  const missing = db`run_ensured_at IS NULL AND applied_at IS NULL AND received_at < ${before}`;
  const rows = await db<PendingRow[]>`
    WITH RECURSIVE bundles AS (
      (SELECT bundle_id FROM purchase_notifications WHERE ${missing} ORDER BY bundle_id LIMIT 1)
      UNION ALL
      SELECT following.bundle_id FROM bundles b, LATERAL (
        SELECT bundle_id FROM purchase_notifications WHERE ${missing} AND bundle_id > b.bundle_id
        ORDER BY bundle_id LIMIT 1) AS following
    )
    SELECT n.environment, n.notification_id, a.org_id, a.app_id, n.received_at::text
    FROM bundles b, LATERAL (
      SELECT *, row_number() OVER (ORDER BY received_at) AS turn FROM (
        SELECT environment, notification_id, bundle_id, received_at FROM purchase_notifications
        WHERE ${missing} AND bundle_id = b.bundle_id
        ORDER BY received_at LIMIT ${limit}) AS first) AS n ${concernedApp(db)}
    ORDER BY n.turn, n.received_at LIMIT ${limit}`;
  return rows.map(toPending);
}

export async function markRunsEnsured(db: Db, keys: readonly NotificationKey[]): Promise<void> {
  await db`
    UPDATE purchase_notifications n SET run_ensured_at = now()
    FROM unnest(${keys.map((key) => key.environment)}::text[],
      ${keys.map((key) => key.notificationId)}::text[]) AS ensured (environment, notification_id)
    WHERE n.environment = ensured.environment AND n.notification_id = ensured.notification_id
      AND n.applied_at IS NULL`;
}

type PendingRow = {
  environment: StoreEnvironment;
  notification_id: string;
  org_id: string | null;
  app_id: string | null;
  received_at: string;
};

const concernedApp = (db: Db) => db`
  LEFT JOIN LATERAL (
    SELECT org_id, app_id FROM apps
    WHERE bundle_id = n.bundle_id AND deleted_at IS NULL ORDER BY app_id LIMIT 1
  ) a ON true`;

function toPending(row: PendingRow): PendingNotification {
  return {
    environment: row.environment,
    notificationId: row.notification_id,
    receivedAt: row.received_at,
    scope:
      row.org_id === null || row.app_id === null
        ? { orgId: 'none' }
        : { orgId: row.org_id, appId: row.app_id },
  };
}

export type LastReceived = { lastAt: Date | null; lastTestAt: Date | null };

export async function selectLastReceived(
  db: Db,
  scope: AppScope & { environment: StoreEnvironment },
): Promise<LastReceived> {
  const rows = await db<LastReceived[]>`
    SELECT max(received_at) AS "lastAt",
      max(received_at) FILTER (WHERE type = 'TEST') AS "lastTestAt"
    FROM purchase_notification_apps
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND environment = ${scope.environment}`;
  return onlyRow(rows);
}
