import type { Notification } from '../../../../providers/store-server/port.ts';
import type { AppScope } from '../../../../shared/app.ts';
import type { StoreEnvironment } from '../../../../shared/environment.ts';
import {
  type Db,
  type Tx,
  hasRows,
  singleValue,
  firstRow,
  done,
  singleRow,
} from '../../../../storage/postgres.ts';

export type NotificationKey = { environment: StoreEnvironment; notificationId: string };

const keysOf = (db: Db, keys: readonly NotificationKey[]) => db`
  unnest(${keys.map((key) => key.environment)}::text[],
    ${keys.map((key) => key.notificationId)}::text[]) AS key (environment, id)`;

export type ConcernedApp = AppScope & {
  forwards: boolean;
};

/** The store knows apps only, so across organizations. */
const concernedApps = (db: Db, about: Notification) => db`
  SELECT a.org_id AS "orgId", a.app_id AS "appId", s.forward_url IS NOT NULL AS forwards
  FROM apps a LEFT JOIN purchase_settings s ON s.app_id = a.app_id
  WHERE a.bundle_id = ${about.bundleId} AND a.deleted_at IS NULL
    AND (${about.environment} <> 'Production' OR a.store_app_id IS NULL
      OR a.store_app_id = ${about.appAppleId})
  ORDER BY a.app_id LIMIT 1000`;

export const selectConcernedApps = (db: Db, about: Notification) =>
  db<ConcernedApp[]>`${concernedApps(db, about)}`;

export type Receipt = { apps: ConcernedApp[]; isNew: boolean };

export async function insertNotification(
  db: Db,
  notification: Notification,
  stored: { payload: string; receivedAt: Date },
): Promise<Receipt> {
  const rows = await db<(ConcernedApp & { isNew: boolean })[]>`
    WITH concerned AS (${concernedApps(db, notification)}), inserted AS (
      INSERT INTO purchase_notifications (environment, notification_id, bundle_id, store_app_id,
        type, subtype, signed_at, payload, received_at)
      SELECT ${notification.environment}, ${notification.notificationId},
        ${notification.bundleId}, ${notification.appAppleId}, ${notification.type},
        ${notification.subtype}, ${new Date(notification.signedAt)}, ${stored.payload},
        ${stored.receivedAt}
      WHERE EXISTS (SELECT FROM concerned)
      ON CONFLICT DO NOTHING RETURNING 1
    )
    SELECT *, EXISTS (SELECT FROM inserted) AS "isNew" FROM concerned`;
  return { apps: rows, isNew: rows.some((row) => row.isNew) };
}

export const reopenForNewApps = (db: Db, notification: Notification) =>
  hasRows(db`
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
    RETURNING 1`);

export const selectRaisedLimit = (db: Db, bundleId: string) =>
  singleValue(db<{ points: number | null }[]>`
    SELECT max(l.points) AS points FROM apps a JOIN app_limits l ON l.app_id = a.app_id
    WHERE a.bundle_id = ${bundleId} AND a.deleted_at IS NULL AND l.name = 'notificationsOfApp'`);

export type StoredNotification = { payload: string; receivedAt: Date };

export const selectNotification = (db: Db, key: NotificationKey) =>
  firstRow(db<StoredNotification[]>`
    SELECT payload, received_at AS "receivedAt" FROM purchase_notifications
    WHERE environment = ${key.environment} AND notification_id = ${key.notificationId}`);

type Applied = NotificationKey & ConcernedApp & { type: string; receivedAt: Date; at: Date };

/** Asynchronous commit: after a crash the notification is applied again. */
export const relaxCommit = (tx: Tx) => done(tx`SET LOCAL synchronous_commit TO off`);

/** False for a second application to the app. */
export const insertApplied = (tx: Tx, applied: Applied) =>
  hasRows(tx`
    INSERT INTO purchase_notification_apps (environment, notification_id, app_id, org_id, type,
      received_at, applied_at)
    VALUES (${applied.environment}, ${applied.notificationId}, ${applied.appId}, ${applied.orgId},
      ${applied.type}, ${applied.receivedAt}, ${applied.at})
    ON CONFLICT DO NOTHING RETURNING 1`);

export const markApplied = (
  db: Db,
  key: NotificationKey,
  result: { at: Date; error: string | null },
) =>
  done(db`
    UPDATE purchase_notifications SET applied_at = coalesce(applied_at, ${result.at}),
      signed_kept_at = coalesce(signed_kept_at, ${result.at}),
      last_error = ${result.error}
    WHERE environment = ${key.environment} AND notification_id = ${key.notificationId}`);

export type PendingNotification = NotificationKey & {
  scope: { orgId: string; appId?: string };
  /** Text: a `Date` loses microseconds. */
  receivedAt: string;
};

/** The notification `n` with the first app of its bundle id; `none` after their deletion. */
const pendingColumns = (db: Db) => db`
  n.environment, n.notification_id AS "notificationId", n.received_at::text AS "receivedAt",
  coalesce((
    SELECT jsonb_build_object('orgId', org_id, 'appId', app_id) FROM apps
    WHERE bundle_id = n.bundle_id AND deleted_at IS NULL ORDER BY app_id LIMIT 1
  ), '{"orgId": "none"}') AS scope`;

export const selectPendingNotifications = async (
  db: Db,
  { before, after, limit }: { before: Date; after: PendingNotification | null; limit: number },
) => db<PendingNotification[]>`
    SELECT ${pendingColumns(db)} FROM purchase_notifications n
    WHERE n.applied_at IS NULL AND n.received_at < ${before}
      AND (n.received_at, n.environment, n.notification_id) >
        (${after?.receivedAt ?? '-infinity'}::text::timestamptz, ${after?.environment ?? ''},
          ${after?.notificationId ?? ''})
    ORDER BY n.received_at, n.environment, n.notification_id LIMIT ${limit}`;

/** Round-robin over bundle ids, by one index lookup each. */
export async function selectNotificationsWithoutRun(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<PendingNotification[]> {
  const missing = db`run_ensured_at IS NULL AND applied_at IS NULL AND received_at < ${before}`;
  return db<PendingNotification[]>`
    WITH RECURSIVE bundles AS (
      (SELECT bundle_id FROM purchase_notifications WHERE ${missing} ORDER BY bundle_id LIMIT 1)
      UNION ALL
      SELECT following.bundle_id FROM bundles b, LATERAL (
        SELECT bundle_id FROM purchase_notifications WHERE ${missing} AND bundle_id > b.bundle_id
        ORDER BY bundle_id LIMIT 1) AS following
    )
    SELECT ${pendingColumns(db)} FROM bundles b, LATERAL (
      SELECT *, row_number() OVER (ORDER BY received_at) AS turn FROM (
        SELECT environment, notification_id, bundle_id, received_at FROM purchase_notifications
        WHERE ${missing} AND bundle_id = b.bundle_id
        ORDER BY received_at LIMIT ${limit}) AS first) AS n
    ORDER BY n.turn, n.received_at LIMIT ${limit}`;
}

export const markRunsEnsured = (db: Db, keys: readonly NotificationKey[]) =>
  done(db`
    UPDATE purchase_notifications n SET run_ensured_at = now() FROM ${keysOf(db, keys)}
    WHERE n.environment = key.environment AND n.notification_id = key.id
      AND n.applied_at IS NULL`);

export type LastReceived = { lastAt: Date | null; lastTestAt: Date | null };

export const selectLastReceived = (db: Db, scope: AppScope & { environment: StoreEnvironment }) =>
  singleRow(db<LastReceived[]>`
    SELECT max(received_at) AS "lastAt",
      max(received_at) FILTER (WHERE type = 'TEST') AS "lastTestAt"
    FROM purchase_notification_apps
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND environment = ${scope.environment}`);

export type Unread = NotificationKey & StoredNotification & { apps: AppScope[] };

/** Notifications applied by releases without saved signed texts; oldest first. */
export const selectUnread = (db: Db, limit: number) => db<Unread[]>`
  SELECT n.environment, n.notification_id AS "notificationId", n.payload,
    n.received_at AS "receivedAt", coalesce((
      SELECT jsonb_agg(jsonb_build_object('orgId', d.org_id, 'appId', d.app_id) ORDER BY d.app_id)
      FROM purchase_notification_apps d JOIN apps a ON a.app_id = d.app_id
      WHERE d.environment = n.environment AND d.notification_id = n.notification_id
        AND a.deleted_at IS NULL), '[]') AS apps
  FROM purchase_notifications n
  WHERE n.signed_kept_at IS NULL AND n.applied_at IS NOT NULL
  ORDER BY n.received_at LIMIT ${limit}`;

export const markRead = (db: Db, keys: readonly NotificationKey[], now: Date) =>
  done(db`
    UPDATE purchase_notifications n SET signed_kept_at = ${now} FROM ${keysOf(db, keys)}
    WHERE n.environment = key.environment AND n.notification_id = key.id`);

export const deleteOrphaned = (tx: Tx, keys: readonly NotificationKey[]) =>
  done(tx`
    DELETE FROM purchase_notifications n USING ${keysOf(tx, keys)}
    WHERE n.environment = key.environment AND n.notification_id = key.id
      AND n.applied_at IS NOT NULL
      AND NOT EXISTS (
        SELECT FROM purchase_notification_apps d
        WHERE d.environment = n.environment AND d.notification_id = n.notification_id)`);
