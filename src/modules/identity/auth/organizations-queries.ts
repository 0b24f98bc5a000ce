import { rowsOf } from '../../../storage/row-parser.ts';
import { sql } from 'kysely';
import type { Role } from '../../../shared/permissions.ts';
import type { Self } from '../../../shared/principal.ts';
import { toIso } from '../../../shared/time.ts';
import { type Db, hasRows, firstValue, singleValue, done } from '../../../storage/postgres.ts';
import type { Organization } from '../model/organization.ts';
import { strongestRole } from './access-control.ts';
import type { AuthDb } from './auth-database.ts';

/** The last active if still a member, else the first joined. */
export async function findOrganizationForNewSession(
  db: AuthDb,
  userId: string,
): Promise<string | null> {
  const { rows } = await sql<{ organizationId: string }>`
    SELECT member."organizationId"
    FROM auth.member
    WHERE member."userId" = ${userId}
    ORDER BY (
      SELECT max(session."updatedAt") FROM auth.session
      WHERE session."userId" = member."userId"
        AND session."activeOrganizationId" = member."organizationId"
        AND session.provider_org_id IS NULL
    ) DESC NULLS LAST, member."createdAt", member.id
    LIMIT 1`.execute(db);
  return rows[0]?.organizationId ?? null;
}

/** The claims of the issuer, for an account that it made. */
export const shownAddress = (db: Db, user: string) => db`
  coalesce(${db(user)}.company_email, ${db(user)}.email)`;

export async function findRole(db: Db, orgId: string, userId: string): Promise<Role | null> {
  const rows = await db<{ role: string }[]>`
    SELECT role FROM auth.member WHERE "organizationId" = ${orgId} AND "userId" = ${userId}`;
  return rows[0] ? strongestRole(rows[0].role) : null;
}

export type SessionAccess = {
  orgId: string | null;
  role: Role | null;
  /** The organization asks for one that this session has not passed. */
  needsSecondFactor: boolean;
  /** The organization is opened by its own sign-in, or that is too old. */
  needsCompany: boolean;
  onlyOrgId: string | null;
};

type AccessRow = Omit<SessionAccess, 'role'> & { role: string | null };

/** In the named or active organization. Access by a provider ends an hour after the issuer last confirmed it. */
export async function findSessionAccess(
  db: Db,
  { sessionId, organization, now }: { sessionId: string; organization: string | null; now: Date },
): Promise<SessionAccess> {
  const rows = await db<AccessRow[]>`
    SELECT x.provider_org_id AS "onlyOrgId", m."organizationId" AS "orgId", m.role,
      x.provider_org_id IS NULL AND coalesce(s.second_factor_required, false)
        AND (x.factor_at IS NULL OR NOT coalesce(u."twoFactorEnabled", false))
        AS "needsSecondFactor",
      CASE WHEN x.provider_org_id IS NOT NULL THEN l.ended_at IS NOT NULL OR coalesce(l.checked_at, '-infinity') < ${now}
          - CASE WHEN l.sealed_refresh_token IS NULL THEN interval '10 minutes'
              ELSE interval '1 hour' END
        ELSE p.org_id IS NOT NULL AND (p.is_only_way
          OR l.user_id IS NOT NULL AND l.sealed_refresh_token IS NULL AND l.ended_at IS NULL) END AS "needsCompany"
    FROM auth.session x JOIN auth."user" u ON u.id = x."userId"
    LEFT JOIN auth.member m ON m."userId" = x."userId"
      AND m."organizationId" = coalesce(${organization}, x."activeOrganizationId")
      AND m."organizationId" = coalesce(x.provider_org_id, m."organizationId")
    LEFT JOIN organization_security s ON s.org_id = m."organizationId"
    LEFT JOIN identity_providers p ON p.org_id = m."organizationId"
    LEFT JOIN identity_links l ON l.org_id = p.org_id AND l.issuer = p.issuer AND l.user_id = u.id
    WHERE x.id = ${sessionId}`;
  const [row] = rows;
  const role = row?.role ? strongestRole(row.role) : null;
  const onlyOrgId = row?.onlyOrgId ?? null;
  if (!row || role === null) {
    return { orgId: null, role, needsSecondFactor: false, needsCompany: false, onlyOrgId };
  }
  return { ...row, role };
}

export const findMaker = (db: Db, orgId: string) =>
  firstValue(db<{ madeBy: string | null }[]>`
    SELECT made_by AS "madeBy" FROM auth.organization WHERE id = ${orgId}`);

export const countMade = (db: Db, userId: string) =>
  singleValue(db<{ count: number }[]>`
    SELECT count(*) AS count FROM auth.organization WHERE made_by = ${userId}`);

/** For a row `m` of members. */
export const isOnlyOwner = (db: Db) => db`
  'owner' = ANY (string_to_array(m.role, ',')) AND NOT EXISTS (
    SELECT 1 FROM auth.member other
    WHERE other."organizationId" = m."organizationId" AND other."userId" <> m."userId"
      AND 'owner' = ANY (string_to_array(other.role, ',')))`;

type OrganizationRow = Omit<Organization, 'createdAt'> & { createdAt: Date };

export const toOrganization = ({ id, name, slug, createdAt }: OrganizationRow): Organization => ({
  id,
  name,
  slug,
  createdAt: toIso(createdAt),
});
const organizationRows = rowsOf(toOrganization);

export const listUserOrganizations = (db: Db, { userId, orgId }: Self, app: string | null) =>
  organizationRows.all(db<OrganizationRow[]>`
    SELECT organization.id, organization.name, organization.slug, organization."createdAt"
    FROM auth.organization
    JOIN auth.member ON member."organizationId" = organization.id
    WHERE member."userId" = ${userId} AND organization.id = coalesce(${orgId}, organization.id)
      AND (${app}::text IS NULL
        OR organization.id = (SELECT org_id FROM apps WHERE app_id = ${app}))
    ORDER BY member."createdAt", organization.id`);

export const organizationExists = (db: Db, orgId: string) =>
  hasRows(db`SELECT 1 FROM auth.organization WHERE id = ${orgId}`);

export const listAllOrganizations = (db: Db) =>
  organizationRows.all(db<OrganizationRow[]>`
    SELECT id, name, slug, "createdAt" FROM auth.organization ORDER BY "createdAt", id`);

export const insertRecovered = (db: Db, orgId: string, now: Date) =>
  done(db`
    INSERT INTO auth.organization (id, name, slug, "createdAt")
    VALUES (${orgId}, ${`Recovered ${orgId}`}, ${`recovered-${orgId.toLowerCase()}`}, ${now})`);
