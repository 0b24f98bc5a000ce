import type { AppScope } from '../../shared/app.ts';
import type { Db, Fragment, Tx } from '../../storage/postgres.ts';
import type { NotificationKey } from './app-store/notifications/queries.ts';

type Batch = { now: Date; limit: number };

const pastRetention = (
  db: Db,
  { table, key, receivedAt }: { table: string; key: string[]; receivedAt: Fragment },
  { now, limit }: Batch,
) => db`
  SELECT old.* FROM app_datasets s CROSS JOIN LATERAL (
    SELECT ${db(key)} FROM ${db(table)}
    WHERE app_id = s.app_id AND ${receivedAt} <
      ${now}::timestamptz - make_interval(days => s.notification_retention_days)
    LIMIT ${limit}
  ) old
  WHERE s.notification_retention_days IS NOT NULL LIMIT ${limit}`;

const DELIVERY = ['environment', 'notification_id', 'app_id'];

export const deleteExpired = (tx: Tx, batch: Batch) => tx<NotificationKey[]>`
  DELETE FROM purchase_notification_apps WHERE (${tx(DELIVERY)}) IN (${pastRetention(
    tx,
    { table: 'purchase_notification_apps', key: DELIVERY, receivedAt: tx`received_at` },
    batch,
  )}) RETURNING environment, notification_id AS "notificationId"`;

export const deleteOfApp = (tx: Tx, scope: AppScope & { limit: number }) => tx<NotificationKey[]>`
  DELETE FROM purchase_notification_apps WHERE (${tx(DELIVERY)}) IN (
    SELECT ${tx(DELIVERY)} FROM purchase_notification_apps
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} LIMIT ${scope.limit})
  RETURNING environment, notification_id AS "notificationId"`;

export async function expireTexts(db: Db, batch: Batch): Promise<number> {
  const [transactions, renewals] = await Promise.all([
    expireTextsOf(db, 'purchase_transactions', ['transaction_id'], batch),
    expireTextsOf(db, 'purchase_renewals', ['original_transaction_id', 'signed_ms'], batch),
  ]);
  return transactions.length + renewals.length;
}

const expireTextsOf = (db: Db, table: string, ids: string[], batch: Batch) => {
  const key = ['app_id', 'environment', ...ids];
  const receivedAt = db`signed_text IS NOT NULL AND text_received_at`;
  const old = pastRetention(db, { table, key, receivedAt }, batch);
  return db`
    UPDATE ${db(table)} SET signed_text = NULL WHERE (${db(key)}) IN (${old}) RETURNING 1`;
};
