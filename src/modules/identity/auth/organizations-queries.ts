import { sql } from 'kysely';
import { onlyRow } from '../../../shared/assert.ts';
import type { Role } from '../../../shared/permissions.ts';
import { toIso } from '../../../shared/time.ts';
import { type Db, hasRows } from '../../../storage/postgres.ts';
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
    ) DESC NULLS LAST, member."createdAt", member.id
    LIMIT 1`.execute(db);
  return rows[0]?.organizationId ?? null;
}

export async function findRole(db: Db, orgId: string, userId: string): Promise<Role | null> {
  const rows = await db<{ role: string }[]>`
    SELECT role FROM auth.member WHERE "organizationId" = ${orgId} AND "userId" = ${userId}`;
  return rows[0] ? strongestRole(rows[0].role) : null;
}

export type Membership = { role: Role; needsSecondFactor: boolean };

/** `needsSecondFactor`: the organization asks for one that the person has not. */
export async function findMembership(
  db: Db,
  orgId: string,
  userId: string,
): Promise<Membership | null> {
  const rows = await db<{ role: string; needsSecondFactor: boolean }[]>`
    SELECT m.role, coalesce(s.second_factor_required, false)
      AND NOT coalesce(u."twoFactorEnabled", false) AS "needsSecondFactor"
    FROM auth.member m JOIN auth."user" u ON u.id = m."userId"
    LEFT JOIN organization_security s ON s.org_id = m."organizationId"
    WHERE m."organizationId" = ${orgId} AND m."userId" = ${userId}`;
  const [row] = rows;
  const role = row ? strongestRole(row.role) : null;
  return row && role ? { role, needsSecondFactor: row.needsSecondFactor } : null;
}

export async function countMemberships(db: Db, userId: string): Promise<number> {
  const rows = await db<{ count: number }[]>`
    SELECT count(*) AS count FROM auth.member WHERE "userId" = ${userId}`;
  return onlyRow(rows).count;
}

type OrganizationRow = Omit<Organization, 'createdAt'> & { createdAt: Date };

export const toOrganization = ({ id, name, slug, createdAt }: OrganizationRow): Organization => ({
  id,
  name,
  slug,
  createdAt: toIso(createdAt),
});

export async function listUserOrganizations(db: Db, userId: string): Promise<Organization[]> {
  const rows = await db<OrganizationRow[]>`
    SELECT organization.id, organization.name, organization.slug, organization."createdAt"
    FROM auth.organization
    JOIN auth.member ON member."organizationId" = organization.id
    WHERE member."userId" = ${userId}
    ORDER BY member."createdAt", organization.id`;
  return rows.map(toOrganization);
}

export function organizationExists(db: Db, orgId: string): Promise<boolean> {
  return hasRows(db`SELECT 1 FROM auth.organization WHERE id = ${orgId}`);
}

export async function listAllOrganizations(db: Db): Promise<Organization[]> {
  const rows = await db<OrganizationRow[]>`
    SELECT id, name, slug, "createdAt" FROM auth.organization ORDER BY "createdAt", id`;
  return rows.map(toOrganization);
}

export async function insertRecovered(db: Db, orgId: string, now: Date): Promise<void> {
  await db`
    INSERT INTO auth.organization (id, name, slug, "createdAt")
    VALUES (${orgId}, ${`Recovered ${orgId}`}, ${`recovered-${orgId.toLowerCase()}`}, ${now})`;
}
