import type { AppScope } from '../../../shared/app.ts';
import { parser } from '../../../shared/schema.ts';
import { type Db, done, toColumns } from '../../../storage/postgres.ts';
import type { NamedEntitlement } from '../model/names.ts';
import { PurchaseSettings } from '../model/wire.ts';
import { namesJson, parseNames } from './names-queries.ts';

export const DEFAULT_SETTINGS: PurchaseSettings = {
  ownership: 'transfer',
  sandboxAccess: 'anybody',
  sandboxListed: [],
  forwardUrl: null,
};

const settingsParser = parser(PurchaseSettings, 'purchase_settings row');

const settingsOf = (db: Db) => db`jsonb_build_object(
  'ownership', coalesce(s.ownership, ${DEFAULT_SETTINGS.ownership}),
  'sandboxAccess', coalesce(s.sandbox_access, ${DEFAULT_SETTINGS.sandboxAccess}),
  'sandboxListed', coalesce(s.sandbox_listed, '{}'), 'forwardUrl', s.forward_url) AS settings`;

export type StoredSettings = { settings: PurchaseSettings; sealedForwardSecret: string | null };

export async function selectSettings(db: Db, scope: AppScope): Promise<StoredSettings> {
  const [row] = await db<{ settings: unknown; sealedForwardSecret: string | null }[]>`
    SELECT ${settingsOf(db)}, s.sealed_forward_secret AS "sealedForwardSecret"
    FROM purchase_settings s WHERE s.org_id = ${scope.orgId} AND s.app_id = ${scope.appId}`;
  if (!row) return { settings: DEFAULT_SETTINGS, sealedForwardSecret: null };
  return { ...row, settings: settingsParser.parse(row.settings) };
}

export const saveSettings = (
  db: Db,
  scope: AppScope,
  { settings, sealedForwardSecret }: StoredSettings,
  updatedAt: Date,
) => {
  const { ownership, sandboxAccess, sandboxListed, forwardUrl } = settings;
  const fields = { ownership, sandboxAccess, sandboxListed, forwardUrl, sealedForwardSecret };
  const row = db(toColumns({ ...scope, ...fields, updatedAt }));
  return done(db`
    INSERT INTO purchase_settings ${row} ON CONFLICT (app_id) DO UPDATE SET ${row}`);
};

export type PurchaseProfile = {
  bundleId: string | null;
  settings: PurchaseSettings;
  hasKey: boolean;
  hasGrants: boolean;
  names: NamedEntitlement[];
};

export async function selectProfile(db: Db, scope: AppScope): Promise<PurchaseProfile | null> {
  const [row] = await db<
    (Omit<PurchaseProfile, 'settings' | 'names'> & { settings: unknown; names: unknown })[]
  >`
    SELECT a.bundle_id AS "bundleId", ${settingsOf(db)}, ${namesJson(db, scope)} AS names,
      EXISTS (SELECT FROM purchase_connections c WHERE c.org_id = a.org_id)
        OR EXISTS (SELECT FROM play_connections p WHERE p.app_id = a.app_id) AS "hasKey",
      EXISTS (SELECT FROM purchase_grants g WHERE g.app_id = a.app_id) AS "hasGrants"
    FROM apps a LEFT JOIN purchase_settings s ON s.app_id = a.app_id
    WHERE a.org_id = ${scope.orgId} AND a.app_id = ${scope.appId} AND a.deleted_at IS NULL`;
  if (!row) return null;
  const settings = settingsParser.parse(row.settings);
  return { ...row, settings, names: parseNames(row.names) };
}
