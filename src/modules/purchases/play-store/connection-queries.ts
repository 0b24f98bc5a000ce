import type { AppScope } from '../../../shared/app.ts';
import { type Db, firstRow, done, toColumns } from '../../../storage/postgres.ts';
import { isOfLiveApp } from '../../../storage/rows-of-app.ts';
import { rowParser } from '../../../storage/row-parser.ts';
import { StoredPlayConnection } from './model.ts';

const columns = (db: Db) => db`
  app_id, package_name, client_email, private_key_id, push_email, status, connected_at,
  last_verified_at, last_error, last_notification_at, last_test_at`;

const toConnection = rowParser(StoredPlayConnection, 'play_connections row');

export type NewPlayConnection = AppScope & {
  packageName: string;
  clientEmail: string;
  privateKeyId: string;
  sealedKey: string;
  pushEmail: string | null;
  at: Date;
};

export const upsertPlayConnection = (db: Db, { at, ...made }: NewPlayConnection) => {
  const verified = { status: 'connected', connectedAt: at, lastVerifiedAt: at, lastError: null };
  const row = db(toColumns({ ...made, ...verified, voidsAt: at }));
  return toConnection.only(db`
    INSERT INTO play_connections ${row} ON CONFLICT (app_id) DO UPDATE SET ${row}
    RETURNING ${columns(db)}`);
};

export const selectPlayConnection = (db: Db, scope: AppScope) =>
  toConnection.first(db`
    SELECT ${columns(db)} FROM play_connections
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}`);

export type SealedPlayKey = {
  packageName: string;
  clientEmail: string;
  privateKeyId: string;
  sealedKey: string;
};

export const selectSealedPlayKey = (db: Db, scope: AppScope) =>
  firstRow(db<SealedPlayKey[]>`
    SELECT package_name AS "packageName", client_email AS "clientEmail",
      private_key_id AS "privateKeyId", sealed_key AS "sealedKey"
    FROM play_connections p
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND ${isOfLiveApp(db, 'p')}`);

export const deletePlayConnection = (db: Db, scope: AppScope) =>
  done(db`
    DELETE FROM play_connections WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}`);

/** Skips a key connected in the meantime. `error` is null after success. */
export async function recordPlayCheck(
  db: Db,
  scope: AppScope,
  checked: { privateKeyId: string; at: Date; error: string | null },
): Promise<void> {
  const status = checked.error === null ? 'connected' : 'invalid';
  await db`
    UPDATE play_connections SET status = ${status}, last_error = ${checked.error},
      last_verified_at = CASE WHEN ${checked.error}::text IS NULL
        THEN ${checked.at} ELSE last_verified_at END
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND private_key_id = ${checked.privateKeyId}`;
}

export const clearPlayRefusal = (
  db: Db,
  scope: AppScope,
  { privateKeyId, at }: { privateKeyId: string; at: Date },
) =>
  done(db`
    UPDATE play_connections SET status = 'connected', last_error = NULL, last_verified_at = ${at}
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND private_key_id = ${privateKeyId} AND status = 'invalid'`);

export type PushTarget = { orgId: string; packageName: string; pushEmail: string };

/** Null where no notification is taken. */
export const selectPushTarget = (db: Db, appId: string) =>
  firstRow(db<PushTarget[]>`
    SELECT org_id AS "orgId", package_name AS "packageName", push_email AS "pushEmail"
    FROM play_connections p
    WHERE app_id = ${appId} AND push_email IS NOT NULL AND ${isOfLiveApp(db, 'p')}`);

export const noteNotification = (
  db: Db,
  { orgId, appId }: AppScope,
  { at, isTest }: { at: Date; isTest: boolean },
) =>
  done(db`
    UPDATE play_connections SET last_notification_at = ${at},
      last_test_at = CASE WHEN ${isTest} THEN ${at} ELSE last_test_at END
    WHERE org_id = ${orgId} AND app_id = ${appId}`);
