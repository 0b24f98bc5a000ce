import type { Role } from '../../../shared/permissions.ts';
import { type Db, hasRows, done, column, singleValue } from '../../../storage/postgres.ts';
import type { GroupRole } from '../model/company.ts';

export type Provider = {
  orgId: string;
  issuer: string;
  clientId: string;
  sealedClientSecret: string;
  domains: string[];
  groupsClaim: string;
  roles: GroupRole[];
  roleWithoutGroup: Role | null;
  isOnlyWay: boolean;
  updatedAt: Date;
};

const providerColumns = (db: Db) => db`
  p.org_id AS "orgId", p.issuer, p.client_id AS "clientId",
  p.sealed_client_secret AS "sealedClientSecret", p.domains, p.groups_claim AS "groupsClaim",
  p.roles, p.role_without_group AS "roleWithoutGroup", p.is_only_way AS "isOnlyWay",
  p.updated_at AS "updatedAt"`;

export async function findProvider(db: Db, orgId: string): Promise<Provider | undefined> {
  const rows = await db<Provider[]>`
    SELECT ${providerColumns(db)} FROM identity_providers p WHERE p.org_id = ${orgId}`;
  return rows[0];
}

export async function findProviderBySlug(db: Db, slug: string): Promise<Provider | undefined> {
  const rows = await db<Provider[]>`
    SELECT ${providerColumns(db)} FROM identity_providers p
    JOIN auth.organization o ON o.id = p.org_id WHERE o.slug = ${slug}`;
  return rows[0];
}

export async function upsertProvider(db: Db, provider: Provider): Promise<void> {
  const { orgId, issuer, clientId, sealedClientSecret, domains, groupsClaim } = provider;
  const { roles, roleWithoutGroup, isOnlyWay, updatedAt } = provider;
  await db`
    INSERT INTO identity_providers (org_id, issuer, client_id, sealed_client_secret, domains,
      groups_claim, roles, role_without_group, is_only_way, updated_at)
    VALUES (${orgId}, ${issuer}, ${clientId}, ${sealedClientSecret}, ${domains}, ${groupsClaim},
      ${db.json(roles)}, ${roleWithoutGroup}, ${isOnlyWay}, ${updatedAt})
    ON CONFLICT (org_id) DO UPDATE SET issuer = excluded.issuer, client_id = excluded.client_id,
      sealed_client_secret = excluded.sealed_client_secret, domains = excluded.domains,
      groups_claim = excluded.groups_claim, roles = excluded.roles,
      role_without_group = excluded.role_without_group, is_only_way = excluded.is_only_way,
      updated_at = excluded.updated_at`;
}

/** False where there was none. */
export const deleteProviderRow = (db: Db, orgId: string) =>
  hasRows(db`DELETE FROM identity_providers WHERE org_id = ${orgId} RETURNING 1`);

/** Deletes all that came by it; returns their owners. */
export async function endProviderSessions(db: Db, orgId: string): Promise<string[]> {
  await db`
    UPDATE identity_links SET sealed_refresh_token = NULL, ended_at = now()
    WHERE org_id = ${orgId} AND ended_at IS NULL`;
  const rows = await db<{ userId: string }[]>`
    DELETE FROM auth.session WHERE provider_org_id = ${orgId} RETURNING "userId"`;
  return rows.map(({ userId }) => userId);
}

export const endSessionsOf = (
  db: Db,
  { orgId, userId, sid }: { orgId: string; userId: string; sid: string | null },
) =>
  done(db`
    DELETE FROM auth.session WHERE provider_org_id = ${orgId} AND "userId" = ${userId}
      AND (${sid}::text IS NULL OR provider_sid = ${sid})`);

export const endSessionsBySid = (db: Db, { orgId, sid }: { orgId: string; sid: string }) =>
  column(db<{ userId: string }[]>`
    DELETE FROM auth.session WHERE provider_org_id = ${orgId} AND provider_sid = ${sid}
    RETURNING "userId"`);

type Confined = { sessionId: string; orgId: string; sid: string | null };

export const confineSession = (db: Db, { sessionId, orgId, sid }: Confined) =>
  done(db`
    UPDATE auth.session SET "activeOrganizationId" = ${orgId}, provider_org_id = ${orgId},
      provider_sid = ${sid}, factor_at = NULL
    WHERE id = ${sessionId}`);

/** Names of keys that go on, and who is told. */
export async function listLeftKeys(
  db: Db,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<string[]> {
  const rows = await db<{ name: string | null; start: string | null }[]>`
    SELECT name, start FROM auth.apikey
    WHERE "referenceId" = ${orgId} AND created_by = ${userId} AND enabled
    ORDER BY "createdAt", id`;
  return rows.map(({ name, start }) => name ?? start ?? '');
}

type Told = { email: string; organizationName: string };

/** Proved addresses only. */
export const listOwnersToTell = async (db: Db, orgId: string) => db<Told[]>`
    SELECT u.email, o.name AS "organizationName"
    FROM auth.member m JOIN auth."user" u ON u.id = m."userId"
    JOIN auth.organization o ON o.id = m."organizationId"
    WHERE m."organizationId" = ${orgId} AND 'owner' = ANY (string_to_array(m.role, ','))
      AND u."emailVerified"
    ORDER BY m."createdAt", m.id`;

export const findOrganizationName = (db: Db, orgId: string) =>
  singleValue(db<{ name: string }[]>`
    SELECT name FROM auth.organization WHERE id = ${orgId}`);

export const findSlug = (db: Db, orgId: string) =>
  singleValue(db<{ slug: string }[]>`
    SELECT slug FROM auth.organization WHERE id = ${orgId}`);
