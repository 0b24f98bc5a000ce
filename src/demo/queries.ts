import { type Db, hasRows, done } from '../storage/postgres.ts';
import type { SimulatedApp } from './market.ts';

export const isEmailTaken = (db: Db, email: string) =>
  hasRows(db`SELECT 1 FROM auth."user" WHERE email = ${email}`);

type Account = { orgId: string; issuerId: string; keyId: string; vendorNumber: string; at: Date };

/** A store connection without a key, which nobody collects. */
export const insertAccount = (db: Db, { orgId, issuerId, keyId, vendorNumber, at }: Account) =>
  done(db`
    INSERT INTO store_connections (org_id, connection_id, issuer_id, key_id, vendor_number,
      sealed_key, status, connected_at, last_verified_at)
    VALUES (${orgId}, ${`con_demo_${orgId}`}, ${issuerId}, ${keyId}, ${vendorNumber}, NULL,
      'connected', ${at}, ${at})`);

export async function insertStoreApps(
  db: Db,
  { orgId, apps, at }: { orgId: string; apps: readonly SimulatedApp[]; at: Date },
): Promise<void> {
  for (const { storeAppId, name, bundleId, sku, version } of apps) {
    await db`
      INSERT INTO store_apps (org_id, store_app_id, name, bundle_id, sku, state, version, checked_at)
      VALUES (${orgId}, ${storeAppId}, ${name}, ${bundleId}, ${sku}, 'live', ${version}, ${at})`;
  }
}

export const noteCollected = (
  db: Db,
  { orgId, vendorNumber, at }: { orgId: string; vendorNumber: string; at: Date },
) =>
  done(db`
    INSERT INTO store_syncs (org_id, vendor_number, checked_at, last_run_at, apps_checked_at)
    VALUES (${orgId}, ${vendorNumber}, ${at}, ${at}, ${at})
    ON CONFLICT (org_id, vendor_number) DO UPDATE
      SET checked_at = excluded.checked_at, last_run_at = excluded.last_run_at`);

export async function backdateExperiment(
  db: Db,
  experiment: { orgId: string; id: string; startedAt: Date; stoppedAt: Date | null },
): Promise<void> {
  const { orgId, id, startedAt, stoppedAt } = experiment;
  await db`
    UPDATE experiments SET created_at = ${startedAt}, started_at = ${startedAt},
      stopped_at = ${stoppedAt}
    WHERE org_id = ${orgId} AND experiment_id = ${id}`;
}

export const isDeletionFinished = (db: Db, orgId: string) =>
  hasRows(db`
    SELECT 1 FROM organization_deletions WHERE org_id = ${orgId} AND finished_at IS NOT NULL`);

export const deleteDeletionRecord = (db: Db, orgId: string) =>
  done(db`
    DELETE FROM organization_deletions WHERE org_id = ${orgId} AND finished_at IS NOT NULL`);
