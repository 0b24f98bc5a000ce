import type { AppScope } from '../../shared/app.ts';
import { parser } from '../../shared/schema.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import { PurchaseSettings } from './model.ts';

export const DEFAULT_SETTINGS: PurchaseSettings = {
  ownership: 'transfer',
  sandboxAccess: 'anybody',
  sandboxListed: [],
  forwardUrl: null,
};

type SettingsRow = {
  ownership: string;
  sandbox_access: string;
  sandbox_listed: string[];
  forward_url: string | null;
  sealed_forward_secret: string | null;
};

const settingsParser = parser(PurchaseSettings, 'purchase_settings row');

const toSettings = (row: SettingsRow): PurchaseSettings =>
  settingsParser.parse({
    ownership: row.ownership,
    sandboxAccess: row.sandbox_access,
    sandboxListed: row.sandbox_listed,
    forwardUrl: row.forward_url,
  });

export type StoredSettings = { settings: PurchaseSettings; sealedForwardSecret: string | null };

export async function selectSettings(db: Db, scope: AppScope): Promise<StoredSettings> {
  const [row] = await db<SettingsRow[]>`
    SELECT ownership, sandbox_access, sandbox_listed, forward_url, sealed_forward_secret
    FROM purchase_settings WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}`;
  if (!row) return { settings: DEFAULT_SETTINGS, sealedForwardSecret: null };
  return { settings: toSettings(row), sealedForwardSecret: row.sealed_forward_secret };
}

/** Locks the settings of an app until the end of the transaction. */
export async function lockSettings(tx: Tx, scope: AppScope): Promise<void> {
  await tx`
    SELECT FROM apps WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
    FOR NO KEY UPDATE`;
}

export async function saveSettings(
  db: Db,
  scope: AppScope,
  { settings, sealedForwardSecret }: StoredSettings,
  at: Date,
): Promise<void> {
  await db`
    INSERT INTO purchase_settings (app_id, org_id, ownership, sandbox_access, sandbox_listed,
      forward_url, sealed_forward_secret, updated_at)
    VALUES (${scope.appId}, ${scope.orgId}, ${settings.ownership}, ${settings.sandboxAccess},
      ${settings.sandboxListed}, ${settings.forwardUrl}, ${sealedForwardSecret}, ${at})
    ON CONFLICT (app_id) DO UPDATE SET ownership = excluded.ownership,
      sandbox_access = excluded.sandbox_access, sandbox_listed = excluded.sandbox_listed,
      forward_url = excluded.forward_url,
      sealed_forward_secret = excluded.sealed_forward_secret, updated_at = excluded.updated_at`;
}

type ProfileRow = SettingsRow & { bundle_id: string | null; has_key: boolean };

/** What every query about an app's purchases needs of the app. */
export type PurchaseProfile = {
  bundleId: string | null;
  settings: PurchaseSettings;
  /** A purchase key is connected, so that the store can be asked. */
  hasKey: boolean;
};

/** Null for a deleted app. */
export async function selectProfile(db: Db, scope: AppScope): Promise<PurchaseProfile | null> {
  const [row] = await db<ProfileRow[]>`
    SELECT a.bundle_id, s.forward_url, s.sealed_forward_secret,
      coalesce(s.ownership, ${DEFAULT_SETTINGS.ownership}) AS ownership,
      coalesce(s.sandbox_access, ${DEFAULT_SETTINGS.sandboxAccess}) AS sandbox_access,
      coalesce(s.sandbox_listed, '{}') AS sandbox_listed,
      EXISTS (SELECT FROM purchase_connections c WHERE c.org_id = a.org_id) AS has_key
    FROM apps a LEFT JOIN purchase_settings s ON s.app_id = a.app_id
    WHERE a.org_id = ${scope.orgId} AND a.app_id = ${scope.appId} AND a.deleted_at IS NULL`;
  if (!row) return null;
  return { bundleId: row.bundle_id, settings: toSettings(row), hasKey: row.has_key };
}
