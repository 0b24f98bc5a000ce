import { spellingsOf } from '../../../shared/account-token.ts';
import type { AppScope } from '../../../shared/app.ts';
import { onlyRow } from '../../../shared/assert.ts';
import type { Db, Tx } from '../../../storage/postgres.ts';
import { rowParser, rowsOf } from '../../../storage/row-parser.ts';
import { existsInApp } from '../../../storage/rows-of-app.ts';
import { type Holder, holderOf, PurchaseGrant } from '../model/grant.ts';
import { spelled } from '../ownership/links-queries.ts';
import type { PersonIds } from '../ownership/ownership.ts';
import type { Grant } from './rules.ts';

const grantColumns = (db: Db) => db`
  grant_id AS id, CASE kind WHEN 'user' THEN user_id END AS user_id,
  CASE kind WHEN 'anonymous' THEN user_id END AS anonymous_id, product_id, entitlement, expires_at, note, granted_at, granted_by, ended_at,
  end_reason`;

const parseGrant = rowParser(PurchaseGrant, 'purchase_grants row');
const toGrant = ({ entitlement, anonymous_id: device, ...row }: Record<string, unknown>) =>
  parseGrant({
    ...row,
    ...(entitlement !== null && { entitlement }),
    ...(device !== null && { anonymous_id: device }),
  });
const grantRows = rowsOf(toGrant);

export const MAX_GRANTS = 50;

/** The products of the grant `g`, by its name as it stands now. */
export const givesOf = (db: Db) => db`
  CASE WHEN g.entitlement IS NULL THEN ARRAY[g.product_id] ELSE coalesce((
    SELECT e.product_ids FROM purchase_entitlements e
    WHERE e.org_id = g.org_id AND e.app_id = g.app_id AND e.name = g.entitlement), '{}') END`;

/** A device's go with its user. */
export function selectGrantsOf(db: Db, scope: AppScope, ids: PersonIds): Promise<Grant[]> {
  const named = ids.userId ?? ids.appAccountToken;
  const users = named === null ? [] : spellingsOf(named);
  const person = db`coalesce((SELECT user_id FROM device), ${ids.anonymousId}::text)`;
  const people = db`event_people p WHERE p.org_id = ${scope.orgId} AND p.app_id = ${scope.appId}`;
  return db<Grant[]>`
    WITH device AS MATERIALIZED (
      SELECT p.user_id FROM ${people} AND p.anonymous_id = ${ids.anonymousId}),
    users AS MATERIALIZED (
      SELECT unnest(${users}::text[]) AS id
      UNION SELECT unnest(${spelled(db, person)}) WHERE ${named === null})
    SELECT g.product_id AS "productId", ${givesOf(db)} AS gives, g.granted_at AS "grantedAt",
      g.expires_at AS "expiresAt", coalesce(g.end_reason = 'revoked', false) AS revoked
    FROM purchase_grants g
    WHERE g.org_id = ${scope.orgId} AND g.app_id = ${scope.appId} AND CASE g.kind
      WHEN 'user' THEN g.user_id IN (SELECT id FROM users)
      ELSE (g.user_id = ${ids.anonymousId}
          AND NOT EXISTS (SELECT FROM device WHERE user_id NOT IN (SELECT id FROM users)))
        OR EXISTS (SELECT FROM ${people} AND p.anonymous_id = g.user_id
          AND p.user_id IN (SELECT id FROM users)) END
    ORDER BY g.ended_at DESC NULLS FIRST, g.grant_id DESC LIMIT ${MAX_GRANTS}`;
}

export const selectInForce = (db: Db, scope: AppScope, { kind, id }: Holder) =>
  grantRows.all(db`
    SELECT ${grantColumns(db)} FROM purchase_grants
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND kind = ${kind}
      AND user_id = ANY(${kind === 'user' ? spellingsOf(id) : [id]})
      AND ended_at IS NULL LIMIT ${MAX_GRANTS}`);

export async function upsertGrant(
  tx: Tx,
  scope: AppScope,
  grant: PurchaseGrant,
): Promise<PurchaseGrant> {
  const { kind, id } = holderOf(grant);
  const rows = await tx`
    INSERT INTO purchase_grants (grant_id, app_id, org_id, kind, user_id, product_id, entitlement,
      expires_at, note, granted_at, granted_by)
    VALUES (${grant.id}, ${scope.appId}, ${scope.orgId}, ${kind}, ${id}, ${grant.productId},
      ${grant.entitlement ?? null}, ${grant.expiresAt}, ${grant.note}, ${grant.grantedAt},
      ${JSON.stringify(grant.grantedBy)}::text::jsonb)
    ON CONFLICT (grant_id) DO UPDATE SET
      expires_at = excluded.expires_at, note = excluded.note, granted_at = excluded.granted_at,
      granted_by = excluded.granted_by
    RETURNING ${grantColumns(tx)}`;
  return toGrant(onlyRow(rows));
}

/** Null when already ended. */
export const endGrant = (tx: Tx, scope: AppScope & { grantId: string }, at: Date) =>
  grantRows.first(tx`
    UPDATE purchase_grants SET ended_at = ${at}, end_reason = 'revoked'
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND grant_id = ${scope.grantId}
      AND ended_at IS NULL
    RETURNING ${grantColumns(tx)}`);

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
  {
    people,
    ...scope
  }: AppScope & { people: readonly string[] | null; beforeId: string | null; limit: number },
): Promise<PurchaseGrant[]> {
  const named = [...(people ?? [])];
  const rows = await db`
    SELECT ${grantColumns(db)} FROM purchase_grants
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND (${people === null} OR user_id = ANY(${named}) OR kind = 'anonymous' AND user_id IN (
        SELECT p.anonymous_id FROM event_people p
        WHERE p.org_id = ${scope.orgId} AND p.app_id = ${scope.appId} AND p.user_id = ANY(${named})))
      AND (${scope.beforeId}::text IS NULL OR grant_id < ${scope.beforeId})
    ORDER BY grant_id DESC LIMIT ${scope.limit}`;
  return rows.map(toGrant);
}

export const grantExists = existsInApp('purchase_grants', 'grant_id');
