import type { StoreKey } from '../../../providers/store/port.ts';
import { OneOf, parser } from '../../../shared/schema.ts';
import {
  toColumns,
  type Db,
  type Tx,
  firstRow,
  done,
  hasRows,
  firstValue,
} from '../../../storage/postgres.ts';
import { rowParser } from '../../../storage/row-parser.ts';
import type { VendorScope } from '../days/queries.ts';
import { CONNECTION_STATES, StoreConnection } from './model.ts';

export type KeyRecord = Omit<StoreKey, 'privateKey'> & {
  connectionId: string;
  orgId: string;
  vendorNumber: string;
  sealedKey: string;
};
export type Candidate = KeyRecord & {
  teamId: string | null;
  teamType: string | null;
  createdAt: Date;
};

const toConnection = rowParser(StoreConnection, 'store_connections row');
const statusParser = parser(OneOf(CONNECTION_STATES), 'store connection status');

const keyColumns = (db: Db) => db`
  connection_id AS "connectionId", org_id AS "orgId", issuer_id AS "issuerId", key_id AS "keyId",
  vendor_number AS "vendorNumber", sealed_key AS "sealedKey"`;

export const selectConnection = (db: Db, orgId: string) =>
  toConnection.first(db`
    SELECT issuer_id, key_id, vendor_number, status, connected_at, last_verified_at, last_error,
      team_id, team_type
    FROM store_connections WHERE org_id = ${orgId}`);

export type Account = VendorScope & { isCollected: boolean };

export const selectAccount = (db: Db, orgId: string) =>
  firstRow(db<Account[]>`
    SELECT org_id AS "orgId", vendor_number AS "vendorNumber",
      sealed_key IS NOT NULL AS "isCollected"
    FROM store_connections WHERE org_id = ${orgId}`);

export type ActiveKey = KeyRecord & { status: StoreConnection['status'] };

export async function selectKey(db: Db, orgId: string): Promise<ActiveKey | null> {
  const [row] = await db<(KeyRecord & { status: string })[]>`
    SELECT ${keyColumns(db)}, status FROM store_connections
    WHERE org_id = ${orgId} AND sealed_key IS NOT NULL`;
  return row ? { ...row, status: statusParser.parse(row.status) } : null;
}

export const insertCandidate = (db: Db, candidate: Candidate) =>
  done(db`INSERT INTO store_candidates ${db(toColumns(candidate))}`);

export const selectCandidate = (db: Db, orgId: string, connectionId: string) =>
  firstRow(db<KeyRecord[]>`
    SELECT ${keyColumns(db)} FROM store_candidates
    WHERE org_id = ${orgId} AND connection_id = ${connectionId}`);

export const deleteCandidate = (db: Db, orgId: string, connectionId: string) =>
  done(db`
    DELETE FROM store_candidates WHERE org_id = ${orgId} AND connection_id = ${connectionId}`);

type CandidateKey = { orgId: string; connectionId: string };

export const markCandidate = (
  db: Db,
  { orgId, connectionId }: CandidateKey,
  said: { verifiedAt: Date } | { refusedAt: Date },
) =>
  done(db`
    UPDATE store_candidates SET ${db(toColumns(said))}
    WHERE org_id = ${orgId} AND connection_id = ${connectionId}`);

/** False for an unverified candidate, true without one. */
export async function isVerified(db: Db, { orgId, connectionId }: CandidateKey): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM store_candidates
    WHERE org_id = ${orgId} AND connection_id = ${connectionId} AND verified_at IS NULL`;
  return rows.length === 0;
}

export const dropFailedCandidate = (
  db: Db,
  { orgId, connectionId }: CandidateKey,
  madeBefore: Date,
) =>
  done(db`
    DELETE FROM store_candidates
    WHERE org_id = ${orgId} AND connection_id = ${connectionId} AND verified_at IS NULL
      AND (refused_at IS NOT NULL OR created_at < ${madeBefore})`);

export const deleteOldCandidates = (db: Db, before: Date) =>
  done(db`DELETE FROM store_candidates WHERE created_at < ${before}`);

export const promoteCandidate = (db: Db, orgId: string, connectionId: string, at: Date) =>
  hasRows(db`
    WITH candidate AS (
      DELETE FROM store_candidates
      WHERE org_id = ${orgId} AND connection_id = ${connectionId} RETURNING *
    )
    INSERT INTO store_connections (org_id, connection_id, issuer_id, key_id, vendor_number,
      sealed_key, team_id, team_type, status, connected_at, last_verified_at)
    SELECT org_id, connection_id, issuer_id, key_id, vendor_number, sealed_key, team_id, team_type,
      'connected', ${at}, ${at} FROM candidate
    ON CONFLICT (org_id) DO UPDATE SET connection_id = excluded.connection_id,
      issuer_id = excluded.issuer_id, key_id = excluded.key_id,
      vendor_number = excluded.vendor_number, sealed_key = excluded.sealed_key,
      team_id = excluded.team_id, team_type = excluded.team_type, status = 'connected',
      connected_at = excluded.connected_at, last_verified_at = excluded.last_verified_at,
      last_error = NULL, refused_since = NULL
    RETURNING 1`);

export const isPromoted = (db: Db, orgId: string, connectionId: string) =>
  hasRows(db`
    SELECT 1 FROM store_connections WHERE org_id = ${orgId} AND connection_id = ${connectionId}`);

export async function deleteConnection(db: Db, orgId: string): Promise<boolean> {
  await db`DELETE FROM store_candidates WHERE org_id = ${orgId}`;
  const rows = await db`DELETE FROM store_connections WHERE org_id = ${orgId} RETURNING 1`;
  return rows.length > 0;
}

const lockStatus = (tx: Tx, { orgId, connectionId }: KeyRecord) =>
  firstValue(tx<{ status: string }[]>`
    SELECT status FROM store_connections
    WHERE org_id = ${orgId} AND connection_id = ${connectionId} FOR UPDATE`);

/** True when the status was not `connected` before. */
export async function markVerified(tx: Tx, key: KeyRecord, at: Date): Promise<boolean> {
  const before = await lockStatus(tx, key);
  await tx`
    UPDATE store_connections SET status = 'connected', last_verified_at = ${at},
      last_error = NULL, refused_since = NULL
    WHERE org_id = ${key.orgId} AND connection_id = ${key.connectionId}`;
  return before !== null && before !== 'connected';
}

/** The store's keys do not expire: a key refused this long was revoked. */
const REVOKED_AFTER_HOURS = 24;

export type KeyFailure = { invalid: boolean; keyAccepted: boolean | null; message: string };

/** `invalid`, or `revoked` after a day of refusals. Returns the new status, null when unchanged. */
export async function recordFailure(
  tx: Tx,
  key: KeyRecord,
  { invalid, keyAccepted, message }: KeyFailure,
  at: Date,
): Promise<StoreConnection['status'] | null> {
  const before = await lockStatus(tx, key);
  if (before === null) return null;
  const refused = keyAccepted === false;
  const [row] = await tx<{ status: string }[]>`
    UPDATE store_connections SET last_error = ${message},
      refused_since = CASE WHEN ${refused} THEN coalesce(refused_since, ${at})
        WHEN ${keyAccepted === true} THEN NULL ELSE refused_since END,
      status = CASE
        WHEN ${refused} AND refused_since <= ${at}::timestamptz
          - make_interval(hours => ${REVOKED_AFTER_HOURS}) THEN 'revoked'
        WHEN ${invalid} THEN 'invalid' ELSE status END
    WHERE org_id = ${key.orgId} AND connection_id = ${key.connectionId}
    RETURNING status`;
  const after = statusParser.parse(row?.status ?? before);
  return after === before ? null : after;
}

const PAGE = 500;

export async function connectedOrganizations(db: Db): Promise<string[]> {
  const orgIds: string[] = [];
  for (;;) {
    const page = await db<{ org_id: string }[]>`
      SELECT org_id FROM store_connections
      WHERE org_id > ${orgIds.at(-1) ?? ''} AND sealed_key IS NOT NULL
      ORDER BY org_id LIMIT ${PAGE}`;
    orgIds.push(...page.map((row) => row.org_id));
    if (page.length < PAGE) return orgIds;
  }
}
