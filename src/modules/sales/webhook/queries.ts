import { type Db, firstRow, done } from '../../../storage/postgres.ts';

type StoreApp = { orgId: string; storeAppId: string };

export type StoreWebhookRow = StoreApp & {
  hookId: string;
  sealedSecret: string;
  previousSealedSecret: string | null;
  rotatedAt: Date;
  accountWebhookId: string | null;
  lastError: string | null;
  lastDeliveryAt: Date | null;
  pingedAt: Date | null;
};

const columns = (db: Db) => db`
  org_id AS "orgId", store_app_id AS "storeAppId", hook_id AS "hookId",
  sealed_secret AS "sealedSecret", sealed_previous_secret AS "previousSealedSecret",
  rotated_at AS "rotatedAt", account_webhook_id AS "accountWebhookId", last_error AS "lastError",
  last_delivery_at AS "lastDeliveryAt", pinged_at AS "pingedAt"`;

export const selectStoreWebhook = (db: Db, { orgId, storeAppId }: StoreApp) =>
  firstRow(db<StoreWebhookRow[]>`
    SELECT ${columns(db)} FROM store_webhooks
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}`);

/** Across organizations: the store knows the address only. */
export const selectByHook = (db: Db, hookId: string) =>
  firstRow(db<StoreWebhookRow[]>`
    SELECT ${columns(db)} FROM store_webhooks WHERE hook_id = ${hookId}`);

export const upsertSecret = (
  db: Db,
  { orgId, storeAppId }: StoreApp,
  { hookId, sealedSecret, at }: { hookId: string; sealedSecret: string; at: Date },
) =>
  done(db`
    INSERT INTO store_webhooks AS w (org_id, store_app_id, hook_id, sealed_secret, rotated_at)
    VALUES (${orgId}, ${storeAppId}, ${hookId}, ${sealedSecret}, ${at})
    ON CONFLICT (org_id, store_app_id) DO UPDATE SET sealed_secret = excluded.sealed_secret,
      sealed_previous_secret = w.sealed_secret, rotated_at = excluded.rotated_at`);

export const noteAccount = (
  db: Db,
  { orgId, storeAppId }: StoreApp,
  { accountWebhookId, lastError }: { accountWebhookId: string | null; lastError: string | null },
) =>
  done(db`
    UPDATE store_webhooks SET account_webhook_id = ${accountWebhookId}, last_error = ${lastError}
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}`);

export const deleteStoreWebhook = (db: Db, { orgId, storeAppId }: StoreApp) =>
  done(db`
    DELETE FROM store_webhooks WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}`);

export const deleteHookOfApp = (db: Db, { orgId, appId }: { orgId: string; appId: string }) =>
  done(db`
    DELETE FROM store_webhooks w USING store_apps s
    WHERE w.org_id = ${orgId} AND s.org_id = ${orgId} AND s.app_id = ${appId}
      AND w.store_app_id = s.store_app_id`);

/** False when it came before. */
export async function insertDelivery(
  db: Db,
  { orgId, hookId }: Pick<StoreWebhookRow, 'orgId' | 'hookId'>,
  delivery: { id: string; at: Date; isHint: boolean; isPing: boolean },
): Promise<boolean> {
  const { id, at, isHint, isPing } = delivery;
  const rows = await db`
    WITH first AS (
      INSERT INTO store_webhook_deliveries (org_id, hook_id, delivery_id, received_at)
      VALUES (${orgId}, ${hookId}, ${id}, ${at}) ON CONFLICT DO NOTHING RETURNING 1
    )
    UPDATE store_webhooks SET last_delivery_at = ${at},
      hinted_at = CASE WHEN ${isHint} THEN ${at} ELSE hinted_at END,
      pinged_at = CASE WHEN ${isPing} THEN ${at} ELSE pinged_at END
    WHERE org_id = ${orgId} AND hook_id = ${hookId} AND EXISTS (SELECT FROM first)
    RETURNING 1`;
  return rows.length > 0;
}
