import type { StoreAppRecord } from '../../../providers/store/port.ts';
import type { StoreState } from '../../../shared/app.ts';
import { lockSubject } from '../../../storage/locks.ts';
import { toColumns, type Db, type Tx, done } from '../../../storage/postgres.ts';
import { rowParser } from '../../../storage/row-parser.ts';
import { StoreAppLink } from './model.ts';

const toLink = rowParser(StoreAppLink, 'store_apps row');

export const selectStoreApps = (db: Db, orgId: string, storeAppId: string | null = null) =>
  toLink.all(db`
    SELECT s.store_app_id, s.bundle_id, s.name, a.app_id,
      CASE WHEN a.app_id IS NOT NULL THEN s.linked_at END AS linked_at,
      s.state AS store_state, s.version AS store_version, s.checked_at AS store_checked_at
    FROM store_apps s
    LEFT JOIN apps a ON a.app_id = s.app_id AND a.org_id = s.org_id AND a.deleted_at IS NULL
    WHERE s.org_id = ${orgId} AND s.store_app_id = coalesce(${storeAppId}, s.store_app_id)
    ORDER BY lower(s.name), s.store_app_id`);

export async function selectStoreApp(
  db: Db,
  orgId: string,
  storeAppId: string,
): Promise<StoreAppLink | null> {
  return (await selectStoreApps(db, orgId, storeAppId)).at(0) ?? null;
}

export async function upsertStoreApps(
  db: Db,
  orgId: string,
  apps: readonly StoreAppRecord[],
): Promise<void> {
  const ids = apps.map(({ storeAppId }) => storeAppId);
  await db`
    INSERT INTO store_apps (org_id, store_app_id, name, bundle_id, sku)
    SELECT ${orgId}, * FROM unnest(${ids}::text[], ${apps.map(({ name }) => name)}::text[],
      ${apps.map(({ bundleId }) => bundleId)}::text[], ${apps.map(({ sku }) => sku)}::text[])
    ON CONFLICT (org_id, store_app_id) DO UPDATE
      SET name = excluded.name, bundle_id = excluded.bundle_id, sku = excluded.sku, listed = true`;
  await db`
    UPDATE store_apps SET listed = false, state = 'removed'
    WHERE org_id = ${orgId} AND listed AND NOT (store_app_id = ANY (${ids}::text[]))`;
}

export type StatusUpdate = {
  state: StoreState;
  version: string | null;
  checkedAt: Date;
  iconUrl?: string | null;
};

export const updateStatus = (db: Db, orgId: string, storeAppId: string, update: StatusUpdate) =>
  done(db`
    UPDATE store_apps SET ${db(toColumns(update))}
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}`);

/** Requires `lockStoreApps`. */
export const copyToLinkedApps = (tx: Tx, orgId: string) =>
  done(tx`
    UPDATE apps a SET bundle_id = s.bundle_id, store_app_id = s.store_app_id,
      icon_url = s.icon_url, store_state = s.state, store_version = s.version,
      store_checked_at = s.checked_at
    FROM store_apps s
    WHERE s.org_id = ${orgId} AND a.org_id = ${orgId} AND a.app_id = s.app_id`);

const clearApps = (tx: Tx, orgId: string, appIds: readonly string[]) =>
  done(tx`
    UPDATE apps SET bundle_id = NULL, store_app_id = NULL, icon_url = NULL, store_state = NULL,
      store_version = NULL, store_checked_at = NULL
    WHERE org_id = ${orgId} AND app_id = ANY (${[...appIds]}::text[])`);

/** Links, imports and refreshes lock several rows and could deadlock. */
export function lockStoreApps(tx: Tx, orgId: string): Promise<void> {
  return lockSubject(tx, 'storeApps', orgId);
}

export async function unlink(
  tx: Tx,
  orgId: string,
  which: { storeAppId: string; appId: string | null },
): Promise<void> {
  const rows = await tx<{ app_id: string }[]>`
    SELECT app_id FROM store_apps
    WHERE org_id = ${orgId} AND app_id IS NOT NULL
      AND (store_app_id = ${which.storeAppId} OR app_id = ${which.appId})`;
  const appIds = rows.map((row) => row.app_id);
  await tx`
    UPDATE store_apps SET app_id = NULL, linked_at = NULL
    WHERE org_id = ${orgId} AND app_id = ANY (${appIds}::text[])`;
  await clearApps(tx, orgId, appIds);
}

export async function link(
  tx: Tx,
  orgId: string,
  pair: { storeAppId: string; appId: string; at: Date },
): Promise<void> {
  await tx`
    UPDATE store_apps SET app_id = ${pair.appId}, linked_at = ${pair.at}
    WHERE org_id = ${orgId} AND store_app_id = ${pair.storeAppId}`;
  await copyToLinkedApps(tx, orgId);
}

export const unlinkDeletedApp = (db: Db, orgId: string, appId: string) =>
  done(db`
    UPDATE store_apps SET app_id = NULL, linked_at = NULL
    WHERE org_id = ${orgId} AND app_id = ${appId}`);

export type StoreAppName = {
  storeAppId: string;
  sku: string;
  name: string;
  bundleId: string;
  appId: string | null;
};

export const selectAppNames = async (db: Db, orgId: string) => db<StoreAppName[]>`
    SELECT s.store_app_id AS "storeAppId", s.sku, s.name, s.bundle_id AS "bundleId",
      a.app_id AS "appId"
    FROM store_apps s
    LEFT JOIN apps a ON a.app_id = s.app_id AND a.org_id = s.org_id AND a.deleted_at IS NULL
    WHERE s.org_id = ${orgId} ORDER BY s.store_app_id`;
