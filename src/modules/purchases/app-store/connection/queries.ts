import { type Db, firstRow, done, toColumns } from '../../../../storage/postgres.ts';
import { rowParser } from '../../../../storage/row-parser.ts';
import { PurchaseConnection } from './model.ts';

const connectionColumns = (db: Db) => db`
  org_id, key_id, issuer_id, status, connected_at, last_verified_at, last_error`;

const toConnection = rowParser(PurchaseConnection, 'purchase_connections row');

export type NewConnection = {
  orgId: string;
  issuerId: string;
  keyId: string;
  sealedKey: string;
  at: Date;
};

export const upsertConnection = (db: Db, { at, ...connection }: NewConnection) => {
  const verified = { status: 'connected', connectedAt: at, lastVerifiedAt: at, lastError: null };
  const row = db(toColumns({ ...connection, ...verified }));
  return toConnection.only(db`
    INSERT INTO purchase_connections ${row} ON CONFLICT (org_id) DO UPDATE SET ${row}
    RETURNING ${connectionColumns(db)}`);
};

export const selectConnection = (db: Db, orgId: string) =>
  toConnection.first(db`
    SELECT ${connectionColumns(db)} FROM purchase_connections WHERE org_id = ${orgId}`);

export type SealedKey = { issuerId: string; keyId: string; sealedKey: string };

export const selectSealedKey = (db: Db, orgId: string, bundleId: string) =>
  firstRow(db<SealedKey[]>`
    SELECT issuer_id AS "issuerId", key_id AS "keyId", sealed_key AS "sealedKey"
    FROM purchase_connections WHERE org_id = ${orgId} AND EXISTS (SELECT FROM apps
      WHERE org_id = ${orgId} AND bundle_id = ${bundleId} AND deleted_at IS NULL)`);

export const deleteConnection = (db: Db, orgId: string) =>
  done(db`DELETE FROM purchase_connections WHERE org_id = ${orgId}`);

/** Skips a key connected in the meantime. */
export const markKeyRefused = (db: Db, refused: { orgId: string; keyId: string; error: string }) =>
  done(db`
    UPDATE purchase_connections SET status = 'invalid', last_error = ${refused.error}
    WHERE org_id = ${refused.orgId} AND key_id = ${refused.keyId}`);

export type AskableApp = { appId: string; bundleId: string };

export const selectAskableApp = (db: Db, orgId: string, appId: string | null) =>
  firstRow(db<AskableApp[]>`
    SELECT app_id AS "appId", bundle_id AS "bundleId" FROM apps
    WHERE org_id = ${orgId} AND deleted_at IS NULL AND bundle_id IS NOT NULL
      AND (${appId}::text IS NULL OR app_id = ${appId})
    ORDER BY created_at, app_id LIMIT 1`);
