import type { AppScope } from '../../../shared/app.ts';
import { onlyRow } from '../../../shared/assert.ts';
import type { Db, Tx } from '../../../storage/postgres.ts';
import { rowParser } from '../../../storage/row-parser.ts';
import { existsInApp } from '../../../storage/rows-of-app.ts';
import { PurchaseGrant } from '../model/grant.ts';
import type { PersonIds } from '../ownership/ownership.ts';
import type { Grant } from './rules.ts';

const grantColumns = (db: Db) => db`
  grant_id AS id, user_id, product_id, entitlement, expires_at, note, granted_at, granted_by, ended_at,
  end_reason`;

const parseGrant = rowParser(PurchaseGrant, 'purchase_grants row');
const toGrant = ({ entitlement, ...row }: Record<string, unknown>): PurchaseGrant =>
  parseGrant(entitlement === null ? row : { ...row, entitlement });

export const MAX_GRANTS = 50;

/** The products of the grant `g`, by its name as it stands now. */
export const givesOf = (db: Db) => db`
  CASE WHEN g.entitlement IS NULL THEN ARRAY[g.product_id] ELSE coalesce((
    SELECT e.product_ids FROM purchase_entitlements e
    WHERE e.org_id = g.org_id AND e.app_id = g.app_id AND e.name = g.entitlement), '{}') END`;

export const selectGrantsOf = (db: Db, scope: AppScope, ids: PersonIds) => db<Grant[]>`
  SELECT g.product_id AS "productId", ${givesOf(db)} AS gives, g.granted_at AS "grantedAt",
    g.expires_at AS "expiresAt", coalesce(g.end_reason = 'revoked', false) AS revoked
  FROM purchase_grants g
  WHERE g.org_id = ${scope.orgId} AND g.app_id = ${scope.appId}
    AND g.user_id = coalesce(${ids.userId}, (SELECT user_id FROM event_people
      WHERE app_id = ${scope.appId} AND anonymous_id = ${ids.anonymousId}))
  ORDER BY g.ended_at DESC NULLS FIRST, g.grant_id DESC LIMIT ${MAX_GRANTS}`;

export async function selectInForce(
  db: Db,
  scope: AppScope,
  userId: string,
): Promise<PurchaseGrant[]> {
  const rows = await db`
    SELECT ${grantColumns(db)} FROM purchase_grants
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND user_id = ${userId}
      AND ended_at IS NULL LIMIT ${MAX_GRANTS}`;
  return rows.map(toGrant);
}

export async function upsertGrant(
  tx: Tx,
  scope: AppScope,
  grant: PurchaseGrant,
): Promise<PurchaseGrant> {
  const rows = await tx`
    INSERT INTO purchase_grants (grant_id, app_id, org_id, user_id, product_id, entitlement,
      expires_at, note, granted_at, granted_by)
    VALUES (${grant.id}, ${scope.appId}, ${scope.orgId}, ${grant.userId}, ${grant.productId},
      ${grant.entitlement ?? null}, ${grant.expiresAt}, ${grant.note}, ${grant.grantedAt},
      ${JSON.stringify(grant.grantedBy)}::text::jsonb)
    ON CONFLICT (grant_id) DO UPDATE SET
      expires_at = excluded.expires_at, note = excluded.note, granted_at = excluded.granted_at,
      granted_by = excluded.granted_by
    RETURNING ${grantColumns(tx)}`;
  return toGrant(onlyRow(rows));
}

/** Null when already ended. */
export async function endGrant(
  tx: Tx,
  scope: AppScope & { grantId: string },
  at: Date,
): Promise<PurchaseGrant | null> {
  const [row] = await tx`
    UPDATE purchase_grants SET ended_at = ${at}, end_reason = 'revoked'
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND grant_id = ${scope.grantId}
      AND ended_at IS NULL
    RETURNING ${grantColumns(tx)}`;
  return row ? toGrant(row) : null;
}

/** Across organizations. */
export async function endExpired(
  tx: Tx,
  { now, limit }: { now: Date; limit: number },
): Promise<{ scope: AppScope; grant: PurchaseGrant }[]> {
  const rows = await tx<{ scope: AppScope }[]>`
    UPDATE purchase_grants SET ended_at = expires_at, end_reason = 'expired'
    WHERE grant_id IN (
      SELECT grant_id FROM purchase_grants WHERE ended_at IS NULL AND expires_at <= ${now}
      ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING ${grantColumns(tx)}, jsonb_build_object('orgId', org_id, 'appId', app_id) AS scope`;
  return rows.map(({ scope, ...row }) => ({ scope, grant: toGrant(row) }));
}

export async function selectGrants(
  db: Db,
  scope: AppScope & { userId: string | null; beforeId: string | null; limit: number },
): Promise<PurchaseGrant[]> {
  const rows = await db`
    SELECT ${grantColumns(db)} FROM purchase_grants
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND (${scope.userId}::text IS NULL OR user_id = ${scope.userId})
      AND (${scope.beforeId}::text IS NULL OR grant_id < ${scope.beforeId})
    ORDER BY grant_id DESC LIMIT ${scope.limit}`;
  return rows.map(toGrant);
}

export const grantExists = existsInApp('purchase_grants', 'grant_id');

export async function deleteGrants(db: Db, scope: AppScope): Promise<void> {
  const ofApp = db`org_id = ${scope.orgId} AND app_id = ${scope.appId}`;
  await db`DELETE FROM purchase_grants WHERE ${ofApp}`;
  await db`DELETE FROM purchase_grant_audit WHERE ${ofApp}`;
}
