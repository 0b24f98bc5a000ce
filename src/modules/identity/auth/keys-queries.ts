import { MINUTE_MS } from '../../../shared/time.ts';
import { type Db, hasRows, singleRow, done, singleValue } from '../../../storage/postgres.ts';
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

export const listKeyRows = async (db: Db, orgId: string) => db<KeyRow[]>`
    SELECT ${keyColumns(db)}
    FROM auth.apikey LEFT JOIN auth."user" AS maker ON maker.id = created_by
    WHERE "referenceId" = ${orgId} AND "configId" = ${ORGANIZATION_KEYS}
    ORDER BY apikey."createdAt", apikey.id`;

export const setKeyMaker = (
  db: Db,
  { orgId, keyId, userId }: { orgId: string; keyId: string; userId: string },
) =>
  singleRow(db<KeyRow[]>`
    UPDATE auth.apikey SET created_by = ${userId}
    FROM auth."user" AS maker
    WHERE apikey.id = ${keyId} AND "referenceId" = ${orgId} AND maker.id = ${userId}
    RETURNING ${keyColumns(db)}`);

/** One write per minute at most. */
export const noteKeyUse = (db: Db, keyId: string, now: Date) =>
  done(db`
    UPDATE auth.apikey SET last_used_at = ${now}
    WHERE id = ${keyId}
      AND (last_used_at IS NULL OR last_used_at < ${new Date(now.getTime() - MINUTE_MS)})`);

export const countEnabledKeys = (db: Db, orgId: string) =>
  singleValue(db<{ count: number }[]>`
    SELECT count(*) AS count FROM auth.apikey
    WHERE "referenceId" = ${orgId} AND "configId" = ${ORGANIZATION_KEYS} AND enabled`);

export const organizationKeyExists = (db: Db, { orgId }: { orgId: string }, keyId: string) =>
  hasRows(db`
    SELECT 1 FROM auth.apikey
    WHERE id = ${keyId} AND "referenceId" = ${orgId} AND "configId" = ${ORGANIZATION_KEYS}`);

/** Keeps the time of the first revocation. False for an unknown key. */
export const disableKey = (db: Db, orgId: string, keyId: string, now: Date) =>
  hasRows(db`
    UPDATE auth.apikey
    SET "updatedAt" = CASE WHEN enabled THEN ${now} ELSE "updatedAt" END, enabled = false
    WHERE id = ${keyId} AND "referenceId" = ${orgId} AND "configId" = ${ORGANIZATION_KEYS}
    RETURNING id`);
