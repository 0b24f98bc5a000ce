import { onlyRow } from '../../../shared/assert.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { type Db, hasRows } from '../../../storage/postgres.ts';
import { ORGANIZATION_KEYS } from './auth.ts';
import { shownAddress } from './organizations-queries.ts';

export type KeyRow = {
  id: string;
  name: string | null;
  start: string | null;
  enabled: boolean;
  permissions: string | null;
  createdAt: Date;
  updatedAt: Date;
  createdBy: string | null;
  lastUsedAt: Date | null;
};

export async function findKeyByHash(
  db: Db,
  hash: string,
  now: Date,
): Promise<{ id: string; orgId: string; permissions: string | null } | undefined> {
  const rows = await db<{ id: string; orgId: string; permissions: string | null }[]>`
    SELECT id, "referenceId" AS "orgId", permissions
    FROM auth.apikey
    WHERE key = ${hash} AND "configId" = ${ORGANIZATION_KEYS} AND enabled
      AND ("expiresAt" IS NULL OR "expiresAt" > ${now})`;
  return rows[0];
}

const keyColumns = (db: Db) => db`
  apikey.id, apikey.name, start, enabled, permissions, apikey."createdAt", apikey."updatedAt",
  ${shownAddress(db, 'maker')} AS "createdBy", last_used_at AS "lastUsedAt"`;

export async function listKeyRows(db: Db, orgId: string): Promise<KeyRow[]> {
  return db<KeyRow[]>`
    SELECT ${keyColumns(db)}
    FROM auth.apikey LEFT JOIN auth."user" AS maker ON maker.id = created_by
    WHERE "referenceId" = ${orgId} AND "configId" = ${ORGANIZATION_KEYS}
    ORDER BY apikey."createdAt", apikey.id`;
}

export async function setKeyMaker(
  db: Db,
  { orgId, keyId, userId }: { orgId: string; keyId: string; userId: string },
): Promise<KeyRow> {
  const rows = await db<KeyRow[]>`
    UPDATE auth.apikey SET created_by = ${userId}
    FROM auth."user" AS maker
    WHERE apikey.id = ${keyId} AND "referenceId" = ${orgId} AND maker.id = ${userId}
    RETURNING ${keyColumns(db)}`;
  return onlyRow(rows);
}

/** One write per minute at most. */
export async function noteKeyUse(db: Db, keyId: string, now: Date): Promise<void> {
  await db`
    UPDATE auth.apikey SET last_used_at = ${now}
    WHERE id = ${keyId}
      AND (last_used_at IS NULL OR last_used_at < ${new Date(now.getTime() - MINUTE_MS)})`;
}

export async function countEnabledKeys(db: Db, orgId: string): Promise<number> {
  const rows = await db<{ count: number }[]>`
    SELECT count(*) AS count FROM auth.apikey
    WHERE "referenceId" = ${orgId} AND "configId" = ${ORGANIZATION_KEYS} AND enabled`;
  return onlyRow(rows).count;
}

export function organizationKeyExists(
  db: Db,
  { orgId }: { orgId: string },
  keyId: string,
): Promise<boolean> {
  return hasRows(db`
    SELECT 1 FROM auth.apikey
    WHERE id = ${keyId} AND "referenceId" = ${orgId} AND "configId" = ${ORGANIZATION_KEYS}`);
}

/** Keeps the time of the first revocation. False for an unknown key. */
export function disableKey(db: Db, orgId: string, keyId: string, now: Date): Promise<boolean> {
  return hasRows(db`
    UPDATE auth.apikey
    SET "updatedAt" = CASE WHEN enabled THEN ${now} ELSE "updatedAt" END, enabled = false
    WHERE id = ${keyId} AND "referenceId" = ${orgId} AND "configId" = ${ORGANIZATION_KEYS}
    RETURNING id`);
}
