import { onlyRow } from '../../shared/assert.ts';
import { parser } from '../../shared/schema.ts';
import { toIso, toIsoOrNull } from '../../shared/time.ts';
import type { Db } from '../../storage/postgres.ts';
import { PurchaseConnection } from './model.ts';

type ConnectionRow = {
  org_id: string;
  issuer_id: string;
  key_id: string;
  sealed_key: string;
  status: string;
  connected_at: Date;
  last_verified_at: Date | null;
  last_error: string | null;
};

const connectionParser = parser(PurchaseConnection, 'purchase_connections row');

const toConnection = (row: ConnectionRow): PurchaseConnection =>
  connectionParser.parse({
    orgId: row.org_id,
    keyId: row.key_id,
    issuerId: row.issuer_id,
    status: row.status,
    connectedAt: toIso(row.connected_at),
    lastVerifiedAt: toIsoOrNull(row.last_verified_at),
    lastError: row.last_error,
  });

export type NewConnection = {
  orgId: string;
  issuerId: string;
  keyId: string;
  sealedKey: string;
  at: Date;
};

/** One connection for each organization: a new key replaces the one before. */
export async function upsertConnection(
  db: Db,
  connection: NewConnection,
): Promise<PurchaseConnection> {
  const rows = await db<ConnectionRow[]>`
    INSERT INTO purchase_connections (org_id, issuer_id, key_id, sealed_key, status, connected_at,
      last_verified_at)
    VALUES (${connection.orgId}, ${connection.issuerId}, ${connection.keyId}, ${connection.sealedKey}, 'connected',
      ${connection.at}, ${connection.at})
    ON CONFLICT (org_id) DO UPDATE SET issuer_id = excluded.issuer_id, key_id = excluded.key_id,
      sealed_key = excluded.sealed_key, status = 'connected', connected_at = excluded.connected_at,
      last_verified_at = excluded.last_verified_at, last_error = NULL
    RETURNING *`;
  return toConnection(onlyRow(rows));
}

export async function selectConnection(db: Db, orgId: string): Promise<PurchaseConnection | null> {
  const [row] = await db<ConnectionRow[]>`
    SELECT * FROM purchase_connections WHERE org_id = ${orgId}`;
  return row ? toConnection(row) : null;
}

export type SealedKey = { issuerId: string; keyId: string; sealedKey: string };

export async function selectSealedKey(db: Db, orgId: string): Promise<SealedKey | null> {
  const [row] = await db<ConnectionRow[]>`
    SELECT * FROM purchase_connections WHERE org_id = ${orgId}`;
  return row ? { issuerId: row.issuer_id, keyId: row.key_id, sealedKey: row.sealed_key } : null;
}

export async function deleteConnection(db: Db, orgId: string): Promise<void> {
  await db`DELETE FROM purchase_connections WHERE org_id = ${orgId}`;
}

/** Marks a refused key, but not one that replaced it in between. */
export async function markKeyRefused(
  db: Db,
  refused: { orgId: string; keyId: string; error: string },
): Promise<void> {
  await db`
    UPDATE purchase_connections SET status = 'invalid', last_error = ${refused.error}
    WHERE org_id = ${refused.orgId} AND key_id = ${refused.keyId}`;
}

export type AskableApp = { appId: string; bundleId: string };

/** An app with a bundle id: the given one, else the first. */
export async function selectAskableApp(
  db: Db,
  orgId: string,
  appId: string | null,
): Promise<AskableApp | null> {
  const [row] = await db<{ app_id: string; bundle_id: string }[]>`
    SELECT app_id, bundle_id FROM apps
    WHERE org_id = ${orgId} AND deleted_at IS NULL AND bundle_id IS NOT NULL
      AND (${appId}::text IS NULL OR app_id = ${appId})
    ORDER BY created_at, app_id LIMIT 1`;
  return row ? { appId: row.app_id, bundleId: row.bundle_id } : null;
}
